import { expect, test } from 'vitest'
import { failure, value } from '../testing.fixture.js'

// Spec 3 §6.5, one test for each function of numbers and each conversion.

test.each([
  ['[abs(-5), (-5).abs(), abs(-1.5)]', '[5,5,1.5]'],
  ['[sign(-5), sign(0), sign(2.5), sign(-0.0)]', '[-1,0,1,0]'],
  ['[(0).is_zero, (0.0).is_zero(), (1).is_zero]', '[true,true,false]'],
  [
    '[(3).is_odd, (-3).is_odd(), (4).is_odd, (4).is_even, (9223372036854775807).is_even()]',
    '[true,true,false,true,false]',
  ],
  ['[(5).to_float(), to_float(-1)]', '[5.0,-1.0]'],
  ['[(255).to_hex(), (8).to_octal(), (5).to_binary(), (-1).to_hex()]', '["ff","10","101","ffffffffffffffff"]'],
  ['[(1.7).floor, (-1.2).floor(), (1.2).ceiling, (-1.7).ceiling()]', '[1.0,-2.0,2.0,-1.0]'],
  ['[(2.5).round, (-2.5).round, (0.49999999999999994).round(), (1.4).round]', '[3.0,-3.0,0.0,1.0]'],
  ['[(1.7).int, (-1.7).int(), (1.25).fraction, (-1.25).fraction()]', '[1.0,-1.0,0.25,-0.25]'],
  ['[(1.9).to_int(), to_int(-1.9), to_int(-0.5), to_int(-9223372036854775808.0)]', '[1,-1,0,-9223372036854775808]'],
  [
    'let n = 0.0 / 0.0; [n.is_nan, (1.0).is_nan(), n.is_finite, (1.0).is_finite, (1.0 / 0.0).is_infinite]',
    '[true,false,false,true,true]',
  ],
  ['[sqrt(9.0), exp(0.0), ln(1.0), log(100.0), log(8.0, 2.0)]', '[3.0,1.0,0.0,2.0,3.0]'],
  ['[sin(0.0), cos(0.0), tan(0.0), asin(0.0), acos(1.0), atan(0.0)]', '[0.0,1.0,0.0,0.0,0.0,0.0]'],
  ['[atan(0.0, 1.0), sinh(0.0), cosh(0.0), tanh(0.0), hypot(3.0, 4.0)]', '[0.0,0.0,1.0,0.0,5.0]'],
  ['[(180.0).to_radians() == PI(), PI().to_degrees(), E() == exp(1.0)]', '[true,180.0,true]'],
  ['[min(2, 1), max(2, 1), min(1, 2.5), max(1, 2.5), min(1.5, 0.5)]', '[1,2,1.0,2.5,0.5]'],
  [
    '[parse_int(" 42 "), parse_int("-ff", 16), parse_int("+7"), parse_int("9223372036854775807")]',
    '[42,-255,7,9223372036854775807]',
  ],
  ['[parse_float(" 1.5 "), parse_float("1e3"), parse_float("-.5"), parse_float("7")]', '[1.5,1000.0,-0.5,7.0]'],
  [
    'parse_json(`{"a": [1, 1.0, null, true], "b": 18446744073709551615}`)',
    '{"a":[1,1.0,null,true],"b":1.8446744073709552e+19}',
  ],
  ['[parse_json("5"), parse_json("null")]', '[5,null]'],
  ['[to_string(1), (1.0).to_string(), to_string(()), to_string("a"), to_string(\'c\')]', '["1","1.0","","a","c"]'],
  ['[to_debug("a"), to_debug(()), to_debug(\'c\'), (1.0).to_debug()]', String.raw`["\"a\"","()","'c'","1.0"]`],
  ['[type_of(1), (1).type_of()]', '["i64","i64"]'],
])('%s is %s', (source, expected) => {
  expect(value(source)).toBe(expected)
})

test.each([
  ['(-9223372036854775807 - 1).abs()', /overflows 64 bits/],
  ['to_int(1e300)', /^1e\+300 does not fit into 64 bits/],
  ['to_int(0.0 / 0.0)', /^NaN does not fit into 64 bits/],
  ['sqrt(9)', /^function not found: sqrt \(i64\)/],
  ['parse_int("")', /^"" is not an integer of 64 bits/],
  ['parse_int("12x")', /^"12x" is not an integer/],
  ['parse_int("9223372036854775808")', /is not an integer of 64 bits/],
  ['parse_int("1", 99)', /^the radix 99 is not between 2 and 36/],
  ['parse_float("1.2.3")', /^"1.2.3" is not a number/],
  ['parse_json("{")', /^the text is not JSON: /],
])('%s fails', (source, reason) => {
  expect(failure(source)).toMatch(reason)
})

// Display text.

test.each([
  ['()', ''],
  ['2.0', '2.0'],
  ['-1.5', '-1.5'],
  ['0.1 + 0.2', '0.30000000000000004'],
  ['-0.0', '0.0'],
  ['10000000000000.0', '10000000000000.0'],
  ['20000000000000.0', '2e13'],
  ['1.5e20', '1.5e20'],
  ['0.000001', '0.000001'],
  ['1.25e-10', '0.000000000125'],
  ['1.5e-14', '1.5e-14'],
  ['123456.789', '123456.789'],
  ['0.0 / 0.0', 'NaN'],
  ['-1.0 / 0.0', '-inf'],
  ['true', 'true'],
  ["'c'", 'c'],
  ['[1, "a", (), 2.0, \'c\', [true]]', `[1, "a", (), 2.0, 'c', [true]]`],
  ['#{b: "x", a: #{}}', '#{"a": #{}, "b": "x"}'],
  ['1..5', '1..5'],
  ['1..=5', '1..=5'],
  ['Fn("f")', 'Fn(f)'],
])('%s is displayed as %s', (source, expected) => {
  expect(value(`to_string(${source})`)).toBe(JSON.stringify(expected))
  expect(value(`\`\${${source}}\``)).toBe(JSON.stringify(expected))
})
