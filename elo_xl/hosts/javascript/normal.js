/**
 * @license Apache-2.0
 *
 * Copyright (c) 2018 The Stdlib Authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *    http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 *
 * The following copyright and license were part of the original implementation in FreeBSD,
 * lib/msun/src/s_erf.c. Stdlib has modified it for JavaScript; elo_xl has put stdlib's
 * @stdlib/math-base-special-erfc 0.2.5 into one function with tables of coefficients.
 *
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 *
 * Developed at SunPro, a Sun Microsystems, Inc. business.
 * Permission to use, copy, modify, and distribute this
 * software is freely granted, provided that this notice
 * is preserved.
 */
const erfc = (() => {
  const PP = [1.28379167095512558561e-1, -0.3250421072470015, -0.02848174957559851,
    -0.005770270296489442, -0.000023763016656650163];
  const QQ = [1, 0.39791722395915535, 0.0650222499887673, 0.005081306281875766,
    0.00013249473800432164, -0.000003960228278775368];
  const PA = [-2.36211856075265944077e-3, 0.41485611868374833, -0.3722078760357013,
    0.31834661990116175, -0.11089469428239668, 0.035478304325618236, -0.002166375594868791];
  const QA = [1, 0.10642088040084423, 0.540397917702171, 0.07182865441419627, 0.12617121980876164,
    0.01363708391202905, 0.011984499846799107];
  const RA = [-9.86494403484714822705e-3, -0.6938585727071818, -10.558626225323291,
    -62.375332450326006, -162.39666946257347, -184.60509290671104, -81.2874355063066,
    -9.814329344169145];
  const SA = [1, 19.651271667439257, 137.65775414351904, 434.56587747522923, 645.3872717332679,
    429.00814002756783, 108.63500554177944, 6.570249770319282, -0.0604244152148581];
  const RB = [-9.86494292470009928597e-3, -0.799283237680523, -17.757954917754752,
    -160.63638485582192, -637.5664433683896, -1025.0951316110772, -483.5191916086514];
  const SB = [1, 30.33806074348246, 325.7925129965739, 1536.729586084437, 3199.8582195085955,
    2553.0504064331644, 474.52854120695537, -22.44095244658582];
  const ERX = 8.45062911510467529297e-1;
  const at = (c, x) => c.reduceRight((sum, one) => sum * x + one, 0);
  const high = new Float64Array(1), words = new Uint32Array(high.buffer);
  const low = new Uint8Array(new Uint32Array([1]).buffer)[0] ? 0 : 1;
  return (x) => {
    const ax = Math.abs(x);
    if (ax < 0.84375) {
      const z = x * x, y = at(PP, z) / at(QQ, z);
      return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x * y + (x - 0.5));
    }
    if (ax < 1.25) {
      const s = ax - 1, y = ERX + at(PA, s) / at(QA, s);
      return x < 0 ? 1 + y : 1 - y;
    }
    if (ax >= 28 || x < -6) return x < 0 ? 2 : 0;
    const s = 1 / (ax * ax), near = ax < 2.857142857142857;
    const y = near ? at(RA, s) / at(SA, s) : at(RB, s) / at(SB, s);
    high[0] = ax;
    words[low] = 0; // a number with few digits has an exact square
    const z = high[0], r = Math.exp(-(z * z) - 0.5625) * Math.exp((z - ax) * (z + ax) + y);
    return x < 0 ? 2 - r / ax : r / ax;
  };
})();
// The end of what is stdlib's.

const normalCdf = (z) => 0.5 * erfc(-z / Math.SQRT2);

// The inverse by Halley's steps in the lower tail, from a rational start.
const normalInverse = (p) => {
  const q = p < 0.5 ? p : 1 - p, t = Math.sqrt(-2 * Math.log(q));
  let x = ((0.010328 * t + 0.802853) * t + 2.515517) /
    (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1) - t;
  for (let i = 0; i < 3; i++) {
    const e = (normalCdf(x) - q) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
    x -= e / (1 + (x * e) / 2);
  }
  return p < 0.5 ? x : -x;
};

// The binomial probabilities by Loader's saddle-point expansion: no factorials that cancel.
const binomial = (() => {
  const exact = [0];
  for (let n = 1, ln = 0; n < 16; n++) {
    ln += Math.log(n);
    exact[n] = ln - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(2 * Math.PI);
  }
  const stirling = (n) => {
    if (n < 16) return exact[n];
    const s = n * n;
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / s) / s) / s) / s) / n;
  };
  const deviance = (x, mean) => { // x ln(x/mean) + mean - x
    if (Math.abs(x - mean) >= 0.1 * (x + mean)) return x * Math.log(x / mean) + mean - x;
    const v = (x - mean) / (x + mean);
    let sum = (x - mean) * v, term = 2 * x * v;
    for (let i = 3, before; sum !== before; i += 2) {
      before = sum;
      term *= v * v;
      sum += term / i;
    }
    return sum;
  };
  return (k, n, p) => {
    if (p === 0 || p === 1) return +(k === n * p);
    if (k === 0) return Math.exp(n * Math.log1p(-p));
    if (k === n) return Math.pow(p, n);
    const ln = stirling(n) - stirling(k) - stirling(n - k)
      - deviance(k, n * p) - deviance(n - k, n * (1 - p));
    return Math.exp(ln) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
  };
})();
