/** Meaning of a cell in a column "Do not contact". */
export type Said = 'yes' | 'no' | 'unclear'

/* Words in English and Afrikaans, and the values that other programs export. They are compared without case, accents, spaces and punctuation. */
const yes = new Set([
  ...['yes', 'y', 'ja', 'j', 'x', 'xx', 'xxx', '1', 'true', 't', 'waar', 'on', 'checked', '✓', '✔', '☑', '☒', '🚫'],
  ...[
    'stop',
    'dnc',
    'donotcontact',
    'dontcontact',
    'nevercontact',
    'nocontact',
    'donotcall',
    'dontcall',
    'donotemail',
    'dontemail',
  ],
  ...[
    'optout',
    'optedout',
    'unsubscribe',
    'unsubscribed',
    'blocked',
    'blacklisted',
    'suppressed',
    'objected',
    'objection',
  ],
  ...[
    'moeniekontak',
    'moeniekontaknie',
    'geenkontak',
    'niekontaknie',
    'moeniebel',
    'moeniebelnie',
    'moenieepos',
    'moenieeposnie',
  ],
  ...['afgemeld', 'uitgeteken', 'geblokkeer', 'beswaar'],
])
const no = new Set([
  ...['', 'no', 'n', 'nee', '0', 'false', 'f', 'onwaar', 'vals', 'off', 'unchecked', '☐', '□'],
  ...['optin', 'optedin', 'subscribed', 'ingeteken', 'maycontact', 'magkontak'],
])

/** Reads a cell. An empty cell is a no. A cell that is neither a yes nor a no is unclear, and a person must decide. */
export function readDoNotContact(cell: string): Said {
  const word = cell
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\.0+$/, '')
    .replace(/[\s\p{M}\p{Pd}.,;:!'’"()[\]/_]/gu, '')
  if (yes.has(word)) return 'yes'
  return no.has(word) ? 'no' : 'unclear'
}

/** Joins what several columns say. One yes wins over any no, and an unclear cell is never a no. */
export function joinSaid(a: Said | null, b: Said): Said {
  if (a === 'yes' || b === 'yes') return 'yes'
  return a === 'unclear' || b === 'unclear' ? 'unclear' : 'no'
}
