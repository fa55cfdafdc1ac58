export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/** Longer texts are shown as replaced completely, because the comparison takes time proportional to the product of both lengths. */
const MOST_WORDS = 1_500

/** Word-by-word differences of two texts. The parts that are not removed form `after`. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > MOST_WORDS || b.length > MOST_WORDS)
    return before === after ? [{ kind: 'same', text: after }] : [removed(before), { kind: 'added', text: after }]
  const lengths = commonLengths(a, b)
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      push(parts, 'same', left)
      i += 1
      j += 1
    } else if (right === undefined || (left !== undefined && at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      push(parts, 'removed', left ?? '')
      i += 1
    } else {
      push(parts, 'added', right)
      j += 1
    }
  }
  return parts
}

const removed = (text: string): DiffPart => ({ kind: 'removed', text })

/** Splits a text into words with their trailing space. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

/** By position in both lists: length of the longest common subsequence of the remaining words. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(lengths, i + 1, j + 1) + 1 : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1))
    }
  return lengths
}

const at = (lengths: readonly Uint16Array[], i: number, j: number) => lengths[i]?.[j] ?? 0

function push(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  const last = parts.at(-1)
  if (last?.kind === kind) last.text += text
  else parts.push({ kind, text })
}
