; The installer for Excel on Windows: for one user, who need not be an administrator.
;
; scripts/installer.py collects the files, then: ISCC installer\elo_xl.iss
; What is to be done in Excel is done by the program that is installed, as by hand.

#define Files "..\build\installer"
; defines Version, that of the wheel
#include "..\build\installer\version.iss"
; Home and Help: with the first release

[Setup]
AppId={{6B1B51F4-5C0C-4C53-9C1D-1E0A63C0E5A7}
AppName=elo_xl
AppVersion={#Version}
AppPublisher=The elo_xl authors
#ifdef Home
AppPublisherURL={#Home}
AppSupportURL={#Home}/issues
#endif
VersionInfoTextVersion={#Version}
DefaultDirName={localappdata}\elo_xl
DefaultGroupName=elo_xl
DisableDirPage=yes
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern
OutputDir=..\dist\installer
OutputBaseFilename=elo-xl-setup
UninstallDisplayName=elo_xl

; the languages, from scripts/release_texts
#include "..\build\installer\languages.iss"

[InstallDelete]
; packages of the version before, which the new one may not have
Type: filesandordirs; Name: "{app}\python"

[Files]
Source: "{#Files}\python\*"; DestDir: "{app}\python"; Flags: recursesubdirs createallsubdirs ignoreversion
; read only, so that Excel asks for another name: removing elo_xl must not remove anybody's event
Source: "{#Files}\books\*"; DestDir: "{app}\books"; Attribs: readonly; Flags: recursesubdirs createallsubdirs ignoreversion overwritereadonly uninsremovereadonly

[Icons]
Name: "{group}\{cm:Books}"; Filename: "{app}\books"
Name: "{group}\{cm:Check}"; Filename: "{cmd}"; Parameters: "/k """"{app}\python\python.exe"" -P -m elo_xl addin status"""
#ifdef Help
Name: "{group}\{cm:Help}"; Filename: "{#Help}"
#endif

[UninstallDelete]
; what Python compiled in the meantime
Type: filesandordirs; Name: "{app}\python"

[Code]
var
  Failed: Boolean;

function Python: String;
begin
  Result := ExpandConstant('{app}\python\python.exe');
end;

function ExcelIsClosed: Boolean;
begin
  Result := True;
  { the class of Excel's main window, in every language and version }
  while Result and (FindWindowByClassName('XLMAIN') <> 0) do
    Result := SuppressibleMsgBox(CustomMessage('CloseExcel'), mbError, MB_RETRYCANCEL, IDCANCEL) = IDRETRY;
end;

function InitializeSetup: Boolean;
begin
  Result := ExcelIsClosed;
end;

function InitializeUninstall: Boolean;
begin
  Result := ExcelIsClosed;
end;

procedure CurStepChanged(CurStep: TSetupStep);
var
  Code: Integer;
  Said: TExecOutput;
  Reason: String;
begin
  if CurStep <> ssPostInstall then
    Exit;
  Failed := not ExecAndCaptureOutput(Python, '-X utf8 -P -m elo_xl addin excel --install', '', SW_HIDE, ewWaitUntilTerminated, Code, Said) or (Code <> 0);
  if Failed then
  begin
    Reason := StringJoin(#13#10, Said.StdErr);
    Log(Reason);
    SuppressibleMsgBox(CustomMessage('NotInExcel') + #13#10#13#10 + Reason, mbError, MB_OK, IDOK);
  end;
end;

function GetCustomSetupExitCode: Integer;
begin
  if Failed then
    Result := 1
  else
    Result := 0;
end;

procedure CurUninstallStepChanged(CurUninstallStep: TUninstallStep);
var
  Code: Integer;
begin
  if CurUninstallStep <> usUninstall then
    Exit;
  if not Exec(Python, '-P -m elo_xl addin excel --uninstall', '', SW_HIDE, ewWaitUntilTerminated, Code) or (Code <> 0) then
    SuppressibleMsgBox(CustomMessage('StillInExcel') + #13#10#13#10 + ExpandConstant('{userappdata}\Microsoft\Excel\XLSTART\elo_xl.xlam'), mbError, MB_OK, IDOK);
end;
