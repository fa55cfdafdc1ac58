import { domainToUnicode } from 'node:url'
import { confusableLetters } from './confusable-letters.data.ts'

/* What the first label of a registrable domain is compared by. Pure. */

/** `label`: as a name would be written. `skeleton`: foreign letters as the Latin ones that they resemble. `letters`: similar ASCII letters as one. */
export type LabelForms = { label: string; skeleton: string; letters: string }

export function labelForms(domain: string): LabelForms {
  const [first = ''] = domain.split('.', 1)
  const unicode = first.startsWith('xn--') ? domainToUnicode(first) : first
  const skeleton = withLatinLetters(unicode)
  return { label: unicode.replaceAll('-', ''), skeleton, letters: withOneOfSimilar(skeleton) }
}

function withLatinLetters(label: string): string {
  return [...label.normalize('NFD').replace(/\p{M}+/gu, '')]
    .map((letter) => confusableLetters[letter] ?? letter)
    .join('')
}

function withOneOfSimilar(label: string): string {
  return label
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
}
