import { domainToUnicode } from 'node:url'
import { confusableLetters } from './confusable-letters.data.ts'

/* Derives the forms in which the first labels of registrable domains are compared. Pure. */

/**
 * Forms of a label. `label`: the label in Unicode without hyphens. `skeleton`: the label with foreign letters replaced by the Latin letters that they
 * look like. `letters`: the skeleton with similar ASCII letters replaced by one letter.
 */
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
