import { wordSimilarity } from './edit-distance.rules.ts'
import { lettersDiffer } from './letters.rules.ts'
import type { Name, Word } from './match-record.ts'
import { configuration } from './matching-configuration.data.ts'

/** Similarity of two names in thousandths, and how their words relate. */
export type NameSimilarity = {
  similarity: number
  /** both names contain a number ("Shop 2") that the other lacks */
  numbersDiffer: boolean
  /** both names have a qualifier ("(Durban)"), and no word of it is shared */
  qualifiersDiffer: boolean
  /** the names share a distinctive word, or several words that together are distinctive */
  sharesOwnWord: boolean
  /** the names share at least two distinctive words */
  sharesBrand: boolean
  /** every word of one name is in the other name, and the shared words suffice to identify a business */
  isContained: boolean
  /** the names share a distinctive word, and each has another word that the other lacks: "Karoo Cafe", "Karoo Lounge" */
  bothAdd: boolean
  /** each name has a descriptive word that the other lacks */
  outletsDiffer: boolean
}

const MOST_WORDS = 32
const takenA = new Uint8Array(MOST_WORDS)
const takenB = new Uint8Array(MOST_WORDS)
/**
 * `INITIALS`: similarity of names of which one is the initials of the other. `JOINED_LEAST`: least similarity of joined words that counts as a match.
 */
const INITIALS = 750
const JOINED_LEAST = 850
/** least similarity at which a misspelt word still counts as the distinctive word; an abbreviation never counts */
const OWN_LEAST = 850

export function createNameSimilarity(): NameSimilarity {
  return {
    similarity: 0,
    numbersDiffer: false,
    qualifiersDiffer: false,
    sharesOwnWord: false,
    sharesBrand: false,
    isContained: false,
    bothAdd: false,
    outletsDiffer: false,
  }
}

/**
 * Pairs the words of two names: first equal words, then words within the number of slips that their length allows. Each pair counts by the weight of
 * its words in this tenant. The result is symmetric, because names are sorted first and ties are resolved the same way. Writes the result into
 * `into`, an object that a run reuses.
 */
export function compareNames(one: Name, other: Name, into: NameSimilarity): void {
  into.qualifiersDiffer = one !== other && namesQualified(one, other) && !shareQualifier(one.words, other.words)
  if (one.joined === other.joined) sayTheSame(into)
  else if (one.joined < other.joined) compareWords(one.words, other.words, into)
  else compareWords(other.words, one.words, into)
}

function sayTheSame(into: NameSimilarity): void {
  into.similarity = 1_000
  into.numbersDiffer = false
  into.sharesOwnWord = true
  into.sharesBrand = true
  into.isContained = true
  into.bothAdd = false
  into.outletsDiffer = false
}

function compareWords(a: readonly Word[], b: readonly Word[], into: NameSimilarity): void {
  takenA.fill(0)
  takenB.fill(0)
  let weighed = weightLeft(a, takenA) + weightLeft(b, takenB)
  shared = 0
  ownWords = 0
  let credit = equalWords(a, b)
  into.numbersDiffer = hasNumberLeft(a, takenA) && hasNumberLeft(b, takenB)
  credit += similarLeft(a, b)
  if (countLeft(a, takenA) > 0 && countLeft(b, takenB) > 0) {
    credit += joinedPairs(a, b, takenA, takenB)
    credit += joinedPairs(b, a, takenB, takenA)
    credit += joinedLeft(a, b)
  }
  const [leftA, leftB] = [weightLeft(a, takenA), weightLeft(b, takenB)]
  if (leftA > 0 && leftB > 0) weighed += Math.floor((leftA + leftB) / 2)
  into.similarity = weighed === 0 ? 0 : Math.floor(credit / weighed)
  into.sharesOwnWord = ownWords > 0 || shared >= configuration.wordsOwnLeast
  into.sharesBrand = ownWords > 1
  into.isContained = shared >= configuration.wordOwnLeast && (leftA === 0 || leftB === 0)
  into.bothAdd = ownWords > 0 && leftA > 0 && leftB > 0
  into.outletsDiffer = into.bothAdd && hasDescriptiveLeft(a, takenA) && hasDescriptiveLeft(b, takenB)
}

/** State of the current comparison: the weight of the shared words and the number of distinctive ones. */
let shared = 0
let ownWords = 0

function share(weight: number, isOwn: boolean): void {
  shared += weight
  if (isOwn) ownWords += 1
}

function isOwn({ kind, weight }: Word): boolean {
  return kind === 'distinctive' && weight >= configuration.wordOwnLeast
}

function namesQualified(one: Name, other: Name): boolean {
  return one.words.at(-1)?.kind === 'qualifier' && other.words.at(-1)?.kind === 'qualifier'
}

function shareQualifier(a: readonly Word[], b: readonly Word[]): boolean {
  const isQualifier = ({ kind }: Word) => kind === 'qualifier'
  const others = b.filter(isQualifier)
  return a.some((word) => isQualifier(word) && others.some(({ text }) => wordSimilarity(word.text, text) > 0))
}

function equalWords(a: readonly Word[], b: readonly Word[]): number {
  let credit = 0
  for (let i = 0; i < a.length; i++) {
    const word = a[i]
    if (word === undefined) continue
    for (let j = 0; j < b.length; j++) {
      if (takenB[j] !== 0 || b[j] !== word) continue
      takenA[i] = 1
      takenB[j] = 1
      credit += 1_000 * 2 * word.weight
      share(word.weight, isOwn(word))
      break
    }
  }
  return credit
}

/**
 * Sums the weights of the words without a partner. They count as omissions in one name; if both names have some, they contradict each other and weigh
 * half as much again.
 */
function weightLeft(words: readonly Word[], taken: Uint8Array): number {
  let weight = 0
  for (let at = 0; at < words.length; at++) if (taken[at] === 0) weight += words[at]?.weight ?? 0
  return weight
}

function countLeft(words: readonly Word[], taken: Uint8Array): number {
  let count = 0
  for (let at = 0; at < words.length; at++) if (taken[at] === 0) count += 1
  return count
}

function hasNumberLeft(words: readonly Word[], taken: Uint8Array): boolean {
  for (let at = 0; at < words.length; at++) if (taken[at] === 0 && words[at]?.kind === 'number') return true
  return false
}

function hasDescriptiveLeft(words: readonly Word[], taken: Uint8Array): boolean {
  for (let at = 0; at < words.length; at++) if (taken[at] === 0 && words[at]?.kind === 'descriptive') return true
  return false
}

/** Pairs the remaining words by similarity, most similar first. */
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
    const [word, other] = [a[bestI], b[bestJ]]
    if (word === undefined || other === undefined) return credit
    takenA[bestI] = 1
    takenB[bestJ] = 1
    credit += best * (word.weight + other.weight)
    if (best >= OWN_LEAST) share(Math.min(word.weight, other.weight), isOwn(word) && isOwn(other))
  }
}

/** Pairs one word with two adjacent words of the other name ("southgate", "south gate"), regardless of the remaining words. */
function joinedPairs(a: readonly Word[], b: readonly Word[], takenA: Uint8Array, takenB: Uint8Array): number {
  let credit = 0
  for (let i = 0; i < a.length; i++) {
    const word = a[i]
    if (takenA[i] !== 0 || word === undefined || word.kind === 'number') continue
    for (let j = 0; j + 1 < b.length; j++) {
      const [first, second] = [b[j], b[j + 1]]
      if (takenB[j] !== 0 || takenB[j + 1] !== 0 || first === undefined || second === undefined) continue
      if (Math.abs(word.text.length - first.text.length - second.text.length) > 1) continue
      const similarity = wordSimilarity(word.text, first.text + second.text)
      if (similarity < JOINED_LEAST) continue
      takenA[i] = 1
      takenB[j] = 1
      takenB[j + 1] = 1
      credit += similarity * (word.weight + first.weight + second.weight)
      share(Math.min(word.weight, first.weight + second.weight), isOwn(word))
      break
    }
  }
  return credit
}

/**
 * Matches all remaining words at once if they agree when joined ("good will" and "goodwill"), or if one side is the initials of the other ("people's
 * liberation army" and "pla"). Returns the credit; 0 without a match.
 */
function joinedLeft(a: readonly Word[], b: readonly Word[]): number {
  let textA = ''
  let textB = ''
  let initialsA = ''
  let initialsB = ''
  let weight = 0
  for (const [at, word] of a.entries()) {
    if (takenA[at] !== 0 || word.kind === 'qualifier') continue
    textA += word.text
    initialsA += word.text.charAt(0)
    weight += word.weight
  }
  for (const [at, word] of b.entries()) {
    if (takenB[at] !== 0 || word.kind === 'qualifier') continue
    textB += word.text
    initialsB += word.text.charAt(0)
    weight += word.weight
  }
  if (textA === '' || textB === '' || initialsA.length + initialsB.length < 3) return 0
  const similarity = wordSimilarity(textA, textB)
  if (similarity >= JOINED_LEAST) return takeAll(similarity, weight)
  if (initialsB.length > 1 && initialsB === textA) return takeAll(INITIALS, weight)
  return initialsA.length > 1 && initialsA === textB ? takeAll(INITIALS, weight) : 0
}

function takeAll(similarity: number, weight: number): number {
  takenA.fill(1)
  takenB.fill(1)
  share(Math.floor(weight / 2), similarity >= JOINED_LEAST && weight / 2 >= configuration.wordOwnLeast)
  return similarity * weight
}

/** Returns the weight of a similarity, interpolated on the curve of the configuration. */
export function nameWeight({
  similarity,
  numbersDiffer,
  qualifiersDiffer,
}: Pick<NameSimilarity, 'similarity' | 'numbersDiffer' | 'qualifiersDiffer'>): number {
  const weight = alongCurve(similarity)
  return numbersDiffer || qualifiersDiffer ? Math.min(weight, configuration.namePartConflict) : weight
}

/** Maximum weight of a name. */
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
