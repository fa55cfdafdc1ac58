import { wordSimilarity } from './edit-distance.rules.ts'
import { lettersDiffer } from './letters.rules.ts'
import type { Name, Word } from './match-record.ts'
import { configuration } from './matching-configuration.data.ts'

/** How alike two names are, in thousandths, whether they say different numbers, and whether both hold a word that is a business's own. */
export type NameSimilarity = { similarity: number; numbersDiffer: boolean; sharesOwnWord: boolean }

const MOST_WORDS = 16
const takenA = new Uint8Array(MOST_WORDS)
const takenB = new Uint8Array(MOST_WORDS)
/** two or more words that are written as one, or only as initials */
const INITIALS = 750
const JOINED_LEAST = 850

/**
 * Words are paired, equal ones first, then those within the slips that their length allows; each pair counts with what its words
 * weigh in this tenant. Symmetric: the names are put in order first, so that ties fall the same way.
 */
export function compareNames(one: Name, other: Name): NameSimilarity {
  if (one.joined === other.joined) return { similarity: 1_000, numbersDiffer: false, sharesOwnWord: true }
  const [a, b] = one.joined < other.joined ? [one, other] : [other, one]
  takenA.fill(0)
  takenB.fill(0)
  let weighed = 0
  let credit = 0
  let sharesOwnWord = false
  for (const word of a.words) weighed += word.weight
  for (const word of b.words) weighed += word.weight
  for (const [i, word] of a.words.entries()) {
    for (const [j, candidate] of b.words.entries()) {
      if (takenB[j] === 0 && candidate === word) {
        takenA[i] = 1
        takenB[j] = 1
        credit += 1_000 * 2 * word.weight
        sharesOwnWord ||= word.kind === 'distinctive' && word.weight >= configuration.wordOwnLeast
        break
      }
    }
  }
  const numbersDiffer = hasNumberLeft(a.words, takenA) && hasNumberLeft(b.words, takenB)
  credit += similarLeft(a.words, b.words)
  credit += joinedLeft(a.words, b.words)
  const [leftA, leftB] = [weightLeft(a.words, takenA), weightLeft(b.words, takenB)]
  if (leftA > 0 && leftB > 0) weighed += Math.floor((leftA + leftB) / 2)
  return { similarity: weighed === 0 ? 0 : Math.floor(credit / weighed), numbersDiffer, sharesOwnWord }
}

/** What only one name says is left out by the other; where both say something else they contradict, which weighs half as much again. */
function weightLeft(words: readonly Word[], taken: Uint8Array): number {
  let weight = 0
  for (const [at, word] of words.entries()) if (taken[at] === 0) weight += word.weight
  return weight
}

function hasNumberLeft(words: readonly Word[], taken: Uint8Array): boolean {
  return words.some((word, at) => taken[at] === 0 && word.kind === 'number')
}

/** Pairs what is left by likeness, the most alike first. */
function similarLeft(a: readonly Word[], b: readonly Word[]): number {
  let credit = 0
  for (;;) {
    let best = 0
    let bestI = -1
    let bestJ = -1
    for (let i = 0; i < a.length; i++) {
      const word = a[i]
      if (takenA[i] !== 0 || word === undefined || word.kind === 'number') continue
      for (let j = 0; j < b.length; j++) {
        const other = b[j]
        if (takenB[j] !== 0 || other === undefined || other.kind === 'number') continue
        if (word.kind === 'descriptive' && other.kind === 'descriptive') continue
        if (lettersDiffer(word.letters, other.letters)) continue
        const similarity = wordSimilarity(word.text, other.text)
        if (similarity > best) {
          best = similarity
          bestI = i
          bestJ = j
        }
      }
    }
    if (best === 0) return credit
    takenA[bestI] = 1
    takenB[bestJ] = 1
    credit += best * ((a[bestI]?.weight ?? 0) + (b[bestJ]?.weight ?? 0))
  }
}

/** "good will" and "goodwill", "people's liberation army" and "pla". */
function joinedLeft(a: readonly Word[], b: readonly Word[]): number {
  let textA = ''
  let textB = ''
  let initialsA = ''
  let initialsB = ''
  let weight = 0
  for (const [at, word] of a.entries()) {
    if (takenA[at] !== 0) continue
    textA += word.text
    initialsA += word.text.charAt(0)
    weight += word.weight
  }
  for (const [at, word] of b.entries()) {
    if (takenB[at] !== 0) continue
    textB += word.text
    initialsB += word.text.charAt(0)
    weight += word.weight
  }
  if (textA === '' || textB === '' || initialsA.length + initialsB.length < 3) return 0
  const similarity = wordSimilarity(textA, textB)
  if (similarity >= JOINED_LEAST) return takeAll(similarity * weight)
  if (initialsB.length > 1 && initialsB === textA) return takeAll(INITIALS * weight)
  return initialsA.length > 1 && initialsA === textB ? takeAll(INITIALS * weight) : 0
}

function takeAll(credit: number): number {
  takenA.fill(1)
  takenB.fill(1)
  return credit
}

/** The weight of a similarity, along the curve of the configuration. */
export function nameWeight({ similarity, numbersDiffer }: Omit<NameSimilarity, 'sharesOwnWord'>): number {
  const weight = alongCurve(similarity)
  return numbersDiffer ? Math.min(weight, configuration.nameNumberConflict) : weight
}

/** The most that a name can tell. */
export const bestName: number = configuration.nameCurve.at(-1)?.[1] ?? 0

function alongCurve(similarity: number): number {
  const curve = configuration.nameCurve
  for (let at = 1; at < curve.length; at++) {
    const [fromX, fromY] = curve[at - 1] ?? [0, 0]
    const [toX, toY] = curve[at] ?? [0, 0]
    if (similarity <= toX) return Math.floor(fromY + ((toY - fromY) * (similarity - fromX)) / (toX - fromX))
  }
  return bestName
}
