"""How well ratings predict, and which K would."""
