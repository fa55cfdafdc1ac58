import { expect, test } from 'vitest'
import { type CitableItem, validateAnswer } from '../suggestions/validate-answer.rules.ts'
import { examineHere } from '../test/examine-answer.ts'
import { redact } from './redact.rules.ts'

/* Forms in which people write contact values, with the parts that must not be sent. Each occurs inside a sentence. */

const digitForms = [
  ...['082_765_4321', '082−765−4321', '082*765*4321', '082|765|4321', '082:765:4321', '082,765,4321', '082;765;4321'],
  ...['082, 765, 4321', '082 | 765 | 4321', '082/765/4321', '082\\765\\4321', '082~765~4321', '082=765=4321'],
  ...[
    '082·765·4321',
    '082•765•4321',
    '082—765—4321',
    '082→765→4321',
    '082 … 765 … 4321',
    '[082] 765 4321',
    '{082}765-4321',
  ],
  ...[
    '082. 765. 4321',
    '082 - 765 - 4321',
    '0 8 2 7 6 5 4 3 2 1',
    '0-8-2-7-6-5-4-3-2-1',
    '０８２７６５４３２１',
    '٠٨٢٧٦٥٤٣٢١',
  ],
  ...[
    '+27 (0)82 765 4321',
    '+27(82)7654321',
    '0027 82 765 4321',
    '082 765\n4321',
    '082\n765\n4321',
    '2.7827654321E+10',
  ],
  ...[
    '27827654321.0',
    '1. 082 765 4321',
    '082 765 4321 8-17',
    '24/7 082 765 4321',
    '2024 082 765 4321',
    'Erf 12 0827654321',
  ],
  ...[
    'tel:+27827654321',
    'https://wa.me/27-82-765-4321',
    'wa.me/27827654321',
    '%2B27827654321',
    '082"765"4321',
    "082'765'4321",
  ],
  ...['082<br>765<br>4321', '082&nbsp;765&nbsp;4321', '⓪⑧②⑦⑥⑤④③②①', '𝟎𝟖𝟐𝟕𝟔𝟓𝟒𝟑𝟐𝟏', '082 765 4321x4', '082 765 4321/2'],
]
const hostForms = [
  ...['springbok.co.za', 'SPRINGBOK.CO.ZA', 'springbok dot co dot za', 'springbok[.]co[.]za', 'springbok(.)co(.)za'],
  ...[
    'springbok。co。za',
    'springbok．co．za',
    'springbok (dot) co (dot) za',
    'springbok-dot-co-dot-za',
    'springbok punt co punt za',
  ],
  ...[
    'www.springbok.co.za',
    'https://springbok.co.za/x',
    'hxxps://springbok.co.za',
    'site=springbok.co.za',
    '•springbok.co.za',
  ],
  ...[
    'springbok.co.za.Please',
    '(springbok.co.za)',
    'springbok.co.za/contact',
    'springbok%2Eco%2Eza',
    'springbok&#46;co&#46;za',
  ],
  ...[
    'https://example.com/?u=springbok.co.za',
    'springbok<wbr>.co.za',
    'springbok <dot> co <dot> za',
    'springbok . co . za',
  ],
]
const mailForms = [
  ...[
    'quagga@springbok.co.za',
    'quagga(a)[springbok.co.za]',
    'quagga [at] springbok [dot] co [dot] za',
    'quagga＠springbok.co.za',
  ],
  ...[
    'quagga at springbok dot co dot za',
    'quagga(at)springbok.co.za',
    'quagga{at}springbok.co.za',
    '•quagga@springbok.co.za',
  ],
  ...[
    'quagga<at>springbok.co.za',
    'email=quagga@springbok.co.za',
    '—quagga@springbok.co.za—',
    '~quagga@springbok.co.za~',
  ],
  ...[
    'quagga%40springbok.co.za',
    'quagga&#64;springbok.co.za',
    'quagga @ springbok . co . za',
    'quagga\n@springbok.co.za',
  ],
  ...[
    '“quagga@springbok.co.za”',
    'mailto:quagga@springbok.co.za?subject=x',
    '<quagga@springbok.co.za>',
    'quagga@springbok.co.za;x',
  ],
  ...[
    'quagga_at_springbok_dot_co_dot_za',
    'quagga@@springbok.co.za',
    'quagga [@] springbok.co.za',
    'quagga=40springbok.co.za',
  ],
]
const forms: [string, string][] = [
  ...digitForms.map((form): [string, string] => [form, '7654321']),
  ...hostForms.map((form): [string, string] => [form, 'springbok']),
  ...mailForms.flatMap((form): [string, string][] => [
    [form, 'springbok'],
    [form, 'quagga'],
  ]),
]

const sentences = [
  (form: string) => form,
  (form: string) => `Call or write: ${form} during the day`,
  (form: string) => `They answer (${form}).`,
  (form: string) => `Open 8-17, see ${form}, ask for Jan.`,
]

/** The letters and digits of what is sent. What separates them does not hide a value from a reader. */
const readable = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
    .toLowerCase()

test.each(forms)('of %j, %j is not sent', (form, value) => {
  for (const sentence of sentences) {
    const { text, withheld } = redact(sentence(form))
    expect([text, withheld, readable(text).includes(value)]).toEqual([text, null, false])
  }
})

test.each([
  'Open on weekdays from 8 to 5; closed in 2024.',
  'They have 14 pumps, 250 pipes and 3 tanks.',
  'Sold 12.50 m of pipe at R99 each.',
  'The yard is at 12 Long Street.',
  'Built in 2024; 14 people work there.',
])('%j has no contact value', (text) => {
  expect(redact(text)).toEqual({ text, counts: new Map(), withheld: null })
})

const given = 'The workshop repairs windpumps for farms around the town.'
const standing: CitableItem = {
  ...{ item: 'E1', evidenceId: 'e-1', hash: 'h-1' },
  ...{ isCurrent: true, isStale: false, isContradicted: false },
}

test.each([...new Set(forms.map(([form]) => form))])('a claim with %j is dropped', (form) => {
  const claims = [{ text: `It repairs windpumps, ${form}`, citations: [{ item: 'E1', quotes: ['repairs windpumps'] }] }]
  const answer = { text: JSON.stringify({ receipt: 'r', claims }), finishReason: 'stop' }
  const sent = { receipt: 'r', input: JSON.stringify([given]), items: [{ item: 'E1', parts: [given] }] }
  expect(validateAnswer(examineHere(answer, sent), [standing])).toMatchObject({
    claims: [],
    dropped: new Map([['value_not_in_input', 1]]),
  })
})
