import fc from 'fast-check'
import { Liquid } from 'liquidjs'
import { expect, test } from 'vitest'
import { fromPlain, type JsonObject, type JsonValue, parse, toPlain } from '../json/index.js'
import { documentVariables } from './document-variables.js'
import { parseJsonTemplate, renderJsonTemplate } from './json-template.js'
import { parseTemplate, type RenderLimits, renderTemplate } from './template.js'

const json = (text: string): JsonValue => {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

function render(template: string, doc: string = '{}', limits?: RenderLimits): string {
  const parsed = parseTemplate(template)
  if (!parsed.ok) return `parse: ${parsed.reason}`
  const rendered = renderTemplate(parsed.template, new Map([['doc', json(doc)]]), limits)
  return rendered.ok ? rendered.text : `render: ${rendered.reason}`
}

const renders = (cases: readonly (readonly [template: string, doc: string, text: string])[]) =>
  test.each(cases)('%s with %s gives %s', (template, doc, text) => {
    expect(render(template, doc)).toBe(text)
  })

const refuses = (
  stage: 'parse' | 'render',
  cases: readonly (readonly [template: string, doc: string, reason: RegExp])[],
) =>
  test.each(cases)(`%s with %s is refused (${stage}): %s`, (template, doc, reason) => {
    const text = render(template, doc)
    expect(text).toMatch(new RegExp(`^${stage}: `))
    expect(text).toMatch(reason)
  })

// What an output writes.
renders([
  ['{{ doc.a }}', '{"a":"x"}', 'x'],
  ['{{doc.a}}!', '{"a":2}', '2!'],
  ['{{ doc.a }}', '{"a":2.0}', '2'],
  ['{{ doc.a }}', '{"a":2.50}', '2.5'],
  ['{{ doc.a }}', '{"a":1e21}', '1000000000000000000000'],
  ['{{ doc.a }}', '{"a":1e-7}', '0.0000001'],
  ['{{ doc.a }}', '{"a":18446744073709551615}', '18446744073709551615'],
  ['{{ doc.a }}', '{"a":true}', 'true'],
  ['[{{ doc.a }}]', '{"a":null}', '[]'],
  ['{{ doc.a }}', '{"a":["x",1,null,["y"]]}', 'x1y'],
  ['{{ doc.a }}', '{"a":{"k":1,"l":{"m":"n"}}}', 'k1lmn'],
  ['{{ doc.name }} is a {{ doc.breed.name }}', '{"name":"iko","breed":{"name":"jr"}}', 'iko is a jr'],
])

// How parts are reached.
renders([
  ['{{ doc["b c"] }}', '{"b c":1}', '1'],
  ["{{ doc['é'] }}", '{"é":1}', '1'],
  ['{{ doc.a[0] }}{{ doc.a[-1] }}', '{"a":["x","y"]}', 'xy'],
  ['{{ doc.a.first }}{{ doc.a.last }}{{ doc.a.size }}', '{"a":["x","y"]}', 'xy2'],
  ['{{ doc.size }}', '{"a":1,"b":2}', '2'],
  ['{{ doc.size }}', '{"size":"own"}', 'own'],
  ['{{ doc.a.size }}', '{"a":"é"}', '2'],
  ['{{ doc[doc.k] }}', '{"k":"v","v":7}', '7'],
  ['{{ doc.__proto__ }}', '{"__proto__":"x"}', 'x'],
  ['{{ doc.a-b }}', '{"a-b":1}', '1'],
  ["{{ \"it's\" }}{{ 'a\\n' }}", '{}', "it'sa\\n"],
])

// Missing names are failures, except as a bare condition.
refuses('render', [
  ['{{ doc.x }}', '{"y":1}', /`doc\.x`.*"x".*"y"/],
  ['{{ other }}', '{}', /"other".*"doc"/],
  ['{{ doc.a.b }}', '{"a":null}', /doc\.a\.b/],
  ['{{ doc.a[2] }}', '{"a":[1]}', /doc\.a\[2\]/],
  ['{{ doc.a.first }}', '{"a":[]}', /first/],
  ['{{ doc.x | default: "y" }}', '{}', /doc\.x/],
  ['{% if doc.x == nil %}{% endif %}', '{}', /doc\.x/],
  ['{% for a in doc.x %}{% endfor %}', '{}', /doc\.x/],
  ['{% case doc.x %}{% when 1 %}{% endcase %}', '{}', /doc\.x/],
  ['{% assign a = doc.x %}', '{}', /doc\.x/],
  ['{{ doc.constructor }}', '{}', /constructor/],
  ['{{ doc.toString }}', '{}', /toString/],
])
renders([
  ['{% if doc.x %}a{% else %}b{% endif %}', '{}', 'b'],
  ['{% if doc.x and doc.x == 1 %}a{% else %}b{% endif %}', '{}', 'b'],
  ['{% if doc.y or doc.x %}a{% endif %}', '{"x":1}', 'a'],
  ['{% unless doc.x %}a{% endunless %}', '{}', 'a'],
  ['{{ doc.x | default: "y" }}', '{"x":null}', 'y'],
  ['{% if doc.x == nil %}a{% endif %}', '{"x":null}', 'a'],
])

// What does not parse.
refuses('parse', [
  ['{{ doc.', '', /line 1, column/],
  ['{{ doc.name', '', /`}}` is missing/],
  ['a\n {{ doc.name | nope }}', '', /no filter `nope`.*line 2/],
  ['{% nope %}', '', /no tag `nope`/],
  ['{% if doc.x %}', '', /endif/],
  ['{% endif %}', '', /endif/],
  ['{% for a in b %}{% endif %}', '', /endfor/],
  ['{{ }}', '', /value was expected/],
  ['{{ a b }}', '', /nothing more/],
  ['{{ "a }}', '', /does not end/],
  ['{{ a..b }}', '', /nothing more|name/],
  ['{{ doc.1 }}', '', /nothing more|name/],
  ['{% %}', '', /name/],
  ['{{ a | append }}', '', /takes 1 parameters, not 0/],
  ['{{ a | upcase: 1 }}', '', /takes 0 parameters, not 1/],
  ['{% if a | upcase %}{% endif %}', '', /expected/],
  ['{% if (a) %}{% endif %}', '', /expected/],
  ['{% raw %}', '', /endraw/],
  ['{% comment %}', '', /endcomment/],
  ['{% layout "x" %}', '', /no tag/],
  ['{% unless a %}{% elsif b %}{% endunless %}', '', /endunless/],
])

test('include and render parse but cannot be rendered', () => {
  expect(render('{% include "x" %}')).toMatch(/^render: `include`/)
  expect(render('{% render "x", a: 1 %}')).toMatch(/^render: `render`/)
  expect(render('{% if doc.no %}{% include x %}{% endif %}ok')).toBe('ok')
})

// White space control, raw text and comments.
renders([
  ['a {{- 1 -}} b', '{}', 'a1b'],
  ['a \n{%- if true -%}\n x \n{%- endif -%}\n b', '{}', 'axb'],
  ['a {% if true %} x {% endif %} b', '{}', 'a  x  b'],
  ['{% raw %}{{ a }}{% b %}{% endraw %}', '{}', '{{ a }}{% b %}'],
  ['a{% comment %}{{ nope | nope }}{% comment %}{% endcomment %}x{% endcomment %}b', '{}', 'ab'],
  ['}} %} {', '{}', '}} %} {'],
  ['{{ "}}" }}', '{}', '}}'],
])

// Conditions.
renders([
  ['{% if true or false and false %}a{% endif %}', '{}', 'a'],
  ['{% if false and true or true %}a{% endif %}', '{}', 'a'],
  ['{% if 1 == 1.0 %}a{% endif %}', '{}', 'a'],
  ['{% if "a" < "b" and "ﬀ" < "😀" %}a{% endif %}', '{}', 'a'],
  ['{% if 1 < "2" %}a{% else %}b{% endif %}', '{}', 'b'],
  ['{% if "x" == true %}a{% endif %}', '{}', 'a'],
  ['{% if false == nil %}a{% endif %}', '{}', 'a'],
  ['{% if 1 != 2 %}a{% endif %}{% if 1 <> 2 %}b{% endif %}', '{}', 'ab'],
  ['{% if "" %}a{% endif %}{% if 0 %}b{% endif %}', '{}', 'ab'],
  ['{% if doc.a contains "b" %}a{% endif %}', '{"a":"abc"}', 'a'],
  ['{% if doc.a contains "b" %}a{% endif %}', '{"a":["b"]}', 'a'],
  ['{% if doc.a contains "b" %}a{% endif %}', '{"a":{"b":null}}', 'a'],
  ['{% if doc.a == empty %}a{% endif %}', '{"a":[]}', 'a'],
  ['{% if doc.a == empty %}a{% endif %}', '{"a":null}', 'a'],
  ['{% if doc.a == empty %}a{% else %}b{% endif %}', '{"a":" "}', 'b'],
  ['{% if doc.a == blank %}a{% endif %}{% if blank != doc.a %}b{% endif %}', '{"a":" "}', 'a'],
  ['{% if false == blank %}a{% endif %}', '{}', 'a'],
  ['{% if doc.a == doc.b %}a{% endif %}', '{"a":[1,{"x":2}],"b":[1.0,{"x":2}]}', 'a'],
  ['{% if 1 > 2 %}a{% elsif 2 > 1 %}b{% else %}c{% endif %}', '{}', 'b'],
  ['{% if doc.g == "F" %}f{% else %}m{% endif %}', '{"g":"M"}', 'm'],
  ['{% case doc.a %}x{% when 1 or 2 %}a{% when 3, 4 %}b{% else %}c{% endcase %}', '{"a":4}', 'b'],
  ['{% case doc.a %}{% when 1 or 2 %}a{% when 3, 4 %}b{% else %}c{% endcase %}', '{"a":"5"}', 'c'],
])
refuses('render', [['{% if doc.a contains "b" %}{% endif %}', '{"a":null}', /contains/]])

// Loops.
renders([
  ['{% for x in doc.a %}{{ x }},{% endfor %}', '{"a":[1,2]}', '1,2,'],
  ['{% for x in doc.a %}{{ x }}{% else %}none{% endfor %}', '{"a":[]}', 'none'],
  ['{% for x in doc.a %}{{ x }}{% else %}none{% endfor %}', '{"a":null}', 'none'],
  ['{% for p in doc.a %}{{ p[0] }}={{ p[1] }};{% endfor %}', '{"a":{"k":1,"l":2}}', 'k=1;l=2;'],
  ['{% for i in (1..doc.n) %}{{ i }}{% endfor %}', '{"n":3}', '123'],
  ['{% for i in (1..5) reversed limit:2 offset:1 %}{{ i }}{% endfor %}', '{}', '32'],
  ['{% for i in (1..3) limit:3 offset:2 %}{{ i }}.{% endfor %}', '{}', '3...'],
  [
    '{% for i in (1..5) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}',
    '{}',
    '13',
  ],
  [
    '{% for i in (1..2) %}{{ forloop.index }}{{ forloop.index0 }}{{ forloop.rindex }}{{ forloop.rindex0 }}{{ forloop.first }}{{ forloop.last }}{{ forloop.length }} {% endfor %}',
    '{}',
    '1021truefalse2 2110falsetrue2 ',
  ],
  [
    '{% for i in (1..2) %}{% for j in (1..2) %}{{ forloop.parentloop.index }}{{ j }} {% endfor %}{% endfor %}',
    '{}',
    '11 12 21 22 ',
  ],
  ['{% for i in (1..4) %}{% cycle "a", "b" %}{% cycle "n": 1, 2, 3 %}{% endfor %}', '{}', 'a1b2a3b1'],
  ['{% for i in doc.a %}{% ifchanged %}{{ i }}{% endifchanged %}{% endfor %}', '{"a":[1,1,2,1]}', '121'],
  [
    '{% tablerow i in (1..3) cols:2 %}{{ i }}{{ tablerowloop.col_last }}{% endtablerow %}',
    '{}',
    '<tr class="row1"><td class="col1">1false</td><td class="col2">2true</td></tr><tr class="row2"><td class="col1">3true</td></tr>',
  ],
])
refuses('render', [
  ['{% for x in doc.a %}{% endfor %}', '{"a":"text"}', /loop/],
  ['{% for x in doc.a %}{% endfor %}', '{"a":3}', /loop/],
  ['{% for x in doc.a limit:"x" %}{% endfor %}', '{"a":[]}', /whole number/],
])

// Variables of the template itself.
renders([
  ['{% for i in (1..2) %}{% assign a = i | plus: 1 %}{% endfor %}{{ a }}', '{}', '3'],
  ['{% capture a %}x{{ doc.b }}{% endcapture %}{{ a | upcase }}', '{"b":"y"}', 'XY'],
  ['{% increment a %}{% increment a %}{% decrement b %}{% decrement b %}', '{}', '01-1-2'],
  ['{% assign doc = nil %}[{{ doc }}]', '{"b":"y"}', '[]'],
])

// Filters on numbers.
renders([
  [
    '{{ 5 | divided_by: 2 }} {{ -5 | divided_by: 2 }} {{ 5 | divided_by: 2.0 }} {{ "6" | divided_by: 2 }}',
    '{}',
    '2 -2 2.5 3',
  ],
  ['{{ -7 | modulo: 3 }} {{ 7.5 | modulo: 2 }}', '{}', '-1 1.5'],
  ['{{ 1 | plus: 2 }} {{ "1.5" | plus: 1 }} {{ 3 | minus: 1 }} {{ 3 | times: 1.5 }}', '{}', '3 2.5 2 4.5'],
  ['{{ -3 | abs }} {{ -2.5 | abs }} {{ 3 | at_least: 5 }} {{ 3 | at_most: 2.5 }}', '{}', '3 2.5 5 2.5'],
  [
    '{{ 2.1 | ceil }} {{ 2.9 | floor }} {{ 2.5 | round }} {{ -2.5 | round }} {{ 2.345 | round: 1 }} {{ 3 | round: 2 }}',
    '{}',
    '3 2 3 -3 2.3 3',
  ],
  ['{{ 9007199254740993 | plus: 1 }}', '{}', '9007199254740994'],
])
refuses(
  'render',
  [
    ['{{ 1 | divided_by: 0 }}', '', /divided_by.*zero/],
    ['{{ 1 | modulo: 0.0 }}', '', /zero/],
    ['{{ "a" | plus: 1 }}', '', /number/],
    ['{{ 9223372036854775807 | plus: 1 }}', '', /too large/],
  ].map(([template, , reason]) => [template as string, '{}', reason as RegExp] as const),
)

// Filters on texts.
renders([
  ['{{ "éa" | upcase }}{{ "ÀB" | downcase }}{{ "hello World" | capitalize }}', '{}', 'ÉAàbHello World'],
  ['{{ " a " | strip }}|{{ " a " | lstrip }}|{{ " a " | rstrip }}', '{}', 'a|a | a'],
  ['{{ doc.a | strip_newlines }}|{{ doc.a | newline_to_br }}', '{"a":"x\\r\\ny"}', 'xy|x\r<br />\ny'],
  ['{{ doc.a | strip_html }}', '{"a":"<b>x</b><SCRIPT>y</script><!-- z --><style a>q</style> < u"}', 'x < u'],
  ['{{ doc.a | escape }} {{ doc.a | escape_once }}', '{"a":"<&amp;\'>"}', '&lt;&amp;amp;&#39;&gt; &lt;&amp;&#39;&gt;'],
  ['[{{ nil | escape }}]', '{}', '[]'],
  ['{{ "a b&é" | url_encode }} {{ "a+b%26%C3%A9" | url_decode }}', '{}', 'a%20b%26%C3%A9 a b&é'],
  [
    '{{ "aXbX" | replace: "X", "y" }}{{ "aXbX" | replace: "X" }}{{ "aXbX" | replace_first: "X", "y" }}',
    '{}',
    'aybyabaybX',
  ],
  ['{{ "aXbX" | remove: "X" }}{{ "aXbX" | remove_first: "X" }}', '{}', 'ababX'],
  ['{{ "a,b" | split: "," | join: "-" }}{{ "" | split: "," | size }}', '{}', 'a-b0'],
  ['{{ "abcdé" | slice: 1, 2 }}{{ "abcdé" | slice: -1 }}{{ doc.a | slice: 1, 5 }}', '{"a":[1,2,3]}', 'bcé23'],
  ['{{ "abcdefgh" | truncate: 5 }}{{ "abc" | truncate: 5 }}{{ "abcdef" | truncate: 4, "" }}', '{}', 'ab...abcabcd'],
  [
    '{{ "a b c" | truncatewords: 2 }}|{{ "a b" | truncatewords: 2 }}|{{ "a b c" | truncatewords: 1, "!" }}',
    '{}',
    'a b...|a b|a!',
  ],
  ['{{ "é" | size }}{{ doc.a | size }}{{ nil | size }}{{ 123 | size }}', '{"a":[1,2,3]}', '2303'],
  ['{{ "é1" | append: 2 | prepend: 0 }}', '{}', '0é12'],
])
refuses('render', [
  ['{{ "a" | slice: 0, 0 }}', '{}', /1 or more/],
  ['{{ "%ff" | url_decode }}', '{}', /UTF-8/],
])

// Filters on lists.
renders([
  ['{{ doc.a | first }}{{ doc.a | last }}{{ "xyz" | first }}{{ "xyz😀" | last }}', '{"a":[1,2]}', '12x😀'],
  ['{{ doc.a | map: "n" | join }}', '{"a":[{"n":1},{"m":2},{"n":3}]}', '1 3'],
  ['{{ doc.a | where: "n", 1 | size }}{{ doc.a | where: "n" | size }}', '{"a":[{"n":1},{"n":false},{"m":2}]}', '11'],
  ['[{{ doc.a | where: "n" }}]', '{"a":[{"n":1},3]}', '[]'],
  [
    '{{ doc.a | compact | join: "," }}{{ doc.b | compact: "n" | size }}',
    '{"a":[1,null,2],"b":[{"n":null},{"n":1}]}',
    '1,21',
  ],
  ['{{ doc.a | concat: doc.a | reverse | join: "" }}', '{"a":[1,2]}', '2121'],
  ['{{ doc.a | uniq | join: "," }}', '{"a":[1,1.0,"1",true,true,[1],[1],null,null]}', '1,1,true,1,'],
  ['{{ doc.a | sort | join: "," }}', '{"a":["b","B",null,"a"]}', 'B,a,b,'],
  ['{{ doc.a | sort_natural | join: "," }}', '{"a":["b","C",null,"a"]}', 'a,b,C,'],
  ['{{ doc.a | sort: "n" | map: "v" | join: "" }}', '{"a":[{"n":2,"v":"b"},{"v":"z"},{"n":1.5,"v":"a"}]}', 'abz'],
  [
    '{{ "" | default: "x" }}{{ doc.a | default: "y" }}{{ false | default: "z" }}{{ 0 | default: 1 }}',
    '{"a":[]}',
    'xyz0',
  ],
])
refuses('render', [
  ['{{ "a" | join }}', '{}', /array/],
  ['{{ 3 | first }}', '{}', /array or a text/],
  ['{{ doc.a | sort: "n" }}', '{"a":[1]}', /objects/],
  ['{{ doc.a | concat: 1 }}', '{"a":[1]}', /array/],
])

// Dates.
renders([
  ['{{ 0 | date: "%Y-%m-%d %H:%M:%S %z" }}', '{}', '1970-01-01 00:00:00 +0000'],
  [
    '{{ "2026-01-05 10:15:30.25 +0200" | date: "%a %b %e %l:%M %p %L %z %s" }}',
    '{}',
    'Mon Jan  5 10:15 AM 250 +0200 1767600930',
  ],
  ['{{ "5 January 2026 23:15:30" | date: "%A %-d %B, %j week %V %I%P" }}', '{}', 'Monday 5 January, 005 week 02 11pm'],
  ['{{ "01/05/2026 00:00:00" | date: "%F %T %D %y %^a %_m" }}', '{}', '2026-01-05 00:00:00 01/05/26 26 MON  1'],
  ['{{ "yesterday" | date: "%Y" }}|{{ 0 | date: "" }}|{{ nil | date: "%Y" }}', '{}', 'yesterday|0|'],
  ['{{ "2026-02-30 00:00:00" | date: "%Y" }}', '{}', '2026-02-30 00:00:00'],
  ['{{ 0 | date: "%% %Q %9999Y" }}', '{}', '% %Q 1970'],
])

test('now comes from the clock that was handed in', () => {
  expect(render('{{ "now" | date: "%F %T.%L" }}', '{}', { nowMs: 86_400_123 })).toBe('1970-01-02 00:00:00.123')
})

test('the default template writes one line for each searchable field that is not null', () => {
  const template = parseTemplate(
    '{% for field in fields %}{% if field.is_searchable and field.value != nil %}{{ field.name }}: {{ field.value }}\n{% endif %}{% endfor %}',
  )
  const document = json('{"id":1,"name":"kefir","tags":["a","b"],"no":null,"_vectors":{},"_geo":{}}') as JsonObject
  const text = (isSearchable: (name: string) => boolean) =>
    template.ok && renderTemplate(template.template, documentVariables(document, isSearchable))
  expect(text(() => true)).toEqual({ ok: true, text: 'id: 1\nname: kefir\ntags: ab\n' })
  expect(text((name) => name === 'name')).toEqual({ ok: true, text: 'name: kefir\n' })
})

test('every string of a fragment is a template, other values are kept', () => {
  const parsed = parseJsonTemplate(json('{"a":["{{ q }}!",1.5,null],"b":{"c":"{{ media.x }}"}}'))
  if (!parsed.ok) throw new Error(parsed.reason)
  const variables = new Map([
    ['q', 'dog'],
    ['media', json('{"x":2}')],
  ])
  expect(renderJsonTemplate(parsed.template, variables)).toEqual({
    ok: true,
    value: json('{"a":["dog!",1.5,null],"b":{"c":"2"}}'),
  })
  expect(renderJsonTemplate(parsed.template, new Map())).toMatchObject({
    ok: false,
    reason: expect.stringContaining('q'),
  })
})

test('a fragment that does not parse is found by its path', () => {
  expect(parseJsonTemplate(json('{"a":[1,"{{ q"]}'))).toMatchObject({ ok: false, path: '.a[1]' })
})

const bomb = (text: string): [string, string] => [
  text,
  JSON.stringify({ long: 'a'.repeat(200_000), list: Array(50_000).fill('ab') }),
]
test.each([
  bomb('{% for a in (1..100000000) %}{% endfor %}'),
  bomb(
    '{% for a in (1..10000) %}{% for b in (1..10000) %}{% for c in (1..10000) %}{% endfor %}{% endfor %}{% endfor %}',
  ),
  bomb('{% for a in (1..100000) %}{{ doc.long | size }}{% endfor %}'),
  bomb('{% for a in (1..100000) %}{% if doc.long.size == 1 %}{% endif %}{% endfor %}'),
  bomb('{% for a in (1..100000) %}{{ doc }}{% endfor %}'),
  bomb(`{% assign a = "xxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`),
  bomb('{{ doc.long | replace: "a", doc.long | size }}'),
  bomb('{{ doc.list | join: doc.long | size }}'),
  bomb('{% for a in (1..100000) %}{% assign x = doc.list | sort %}{% endfor %}'),
  bomb('{% for a in (1..100000) %}{% if doc.list contains "zz" %}{% endif %}{% endfor %}'),
  bomb('{% assign x = "" %}{% for a in (1..100000) %}{% capture x %}{{ x }}{{ doc.long }}{% endcapture %}{% endfor %}'),
  bomb('{% assign x = doc.list %}{% for a in (1..100000) %}{% assign x = x | concat: x %}{% endfor %}'),
])('%s ends', (template, doc) => {
  expect(render(template, doc, { maxWork: 4_000_000 })).toMatch(/^render: .*too much work/)
})

test('deeply nested templates are refused, not a matter of the stack', () => {
  expect(render('{% if true %}'.repeat(50_000))).toMatch(/^parse: .*nested too deeply/)
  expect(render(`{{ ${'a['.repeat(50_000)} }}`)).toMatch(/^parse: .*nested too deeply/)
})

// Anything quadratic would take minutes here and run into the time limit of the test.
test.each(['{{', '{%', '{% raw %}{%', '{% comment %}{% ', '{{ a }}', '{{-', '{{ "', '<script'])(
  'a long run of %s is read in one pass',
  (part) => {
    const long = part.repeat(100_000)
    expect(render(`${long}{{`)).toMatch(/^parse: /)
    expect(render('{{ doc.a | strip_html | strip | size }}', JSON.stringify({ a: long }))).toBe(
      String(long.trim().length),
    )
  },
)

test('parsing never throws, whatever the text', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '-',
    'if',
    'endif',
    'for',
    'in',
    'a',
    '.',
    '[',
    '"',
    '|',
    ' ',
    '1',
    '..',
    '(',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const parsed = parseTemplate(pieces.join(''))
      expect(parsed.ok || parsed.reason !== '').toBe(true)
    }),
  )
})

// An independent implementation agrees on the part of the language that both understand alike.
const liquid = new Liquid({ strictVariables: true, strictFilters: true })
const value = fc.constantFrom('doc.a', 'doc.b.c', 'doc.list[1]', 'doc.list.size', '"x"', '7', 'doc.t')
const filter = fc.constantFrom(
  'upcase',
  'append: "z"',
  'prepend: doc.a',
  'replace: "l", "L"',
  'strip',
  'escape',
  'size',
  'split: "l" | join: "+"',
)
const condition = fc.tuple(value, fc.constantFrom('==', '!='), value).map((parts) => parts.join(' '))
const { node } = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('text ', ' <b> '),
    value.map((path) => `{{ ${path} }}`),
    fc.tuple(fc.constantFrom('doc.a', 'doc.t'), filter).map(([path, call]) => `{{ ${path} | ${call} }}`),
    fc
      .tuple(condition, tie('node'), tie('node'))
      .map(([c, yes, no]) => `{% if ${c} %}${yes}{% else %}${no}{% endif %}`),
    tie('node').map((body) => `{%- for i in doc.list -%} {{ i }}{{ forloop.index }}${body}{% endfor %}`),
    fc.tuple(value, tie('node')).map(([v, body]) => `{% case ${v} %}{% when 7, "x" %}${body}{% else %}-{% endcase %}`),
    tie('node').map((body) => `{% capture c %}${body}{% endcapture %}{{ c }}{% assign d = c | size %}`),
  ),
}))

test('liquidjs renders the same', () => {
  const doc = { a: 'hello', b: { c: 7 }, list: ['x', 'y'], t: 'tell <me> & all ' }
  fc.assert(
    fc.property(fc.array(node as fc.Arbitrary<string>, { maxLength: 4 }), (nodes) => {
      const template = nodes.join('')
      expect(render(template, JSON.stringify(toPlain(fromPlain(doc))))).toBe(
        liquid.parseAndRenderSync(template, { doc }),
      )
    }),
  )
})
