/**
 * Pasted lines are sent in parts, because one request takes a limited number of lines. A part is one change: all of its entries are added, or none.
 * After a failure the parts before it are complete, and the next attempt continues with the failed one.
 */
import type {
  SuppressionBatch,
  SuppressionBatchLine,
  SuppressionPreview,
  SuppressionPreviewLine,
} from '@prospect/api-client'
import { inputLimits } from '../../ui/forms/input-limits.ts'

/** `before`: number of lines before this part, by which the line numbers of its answers are moved. */
export type Part = { before: number; lines: string[] }

export function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let before = 0; before < lines.length; before += inputLimits.pastedLineCount)
    parts.push({ before, lines: lines.slice(before, before + inputLimits.pastedLineCount) })
  return parts
}

type Line = SuppressionPreviewLine | SuppressionBatchLine
/** Result of all lines. Lines that were not sent have their outcome of the preview. */
export type PastedResult = { items: Line[]; added: number; marked: number }

const moved = <One extends Line>(line: One, before: number): One => ({ ...line, line: line.line + before })

/** Gets the number of lines before the part that is sent next. After a failure it is the failed part. */
type Progress = (before: number) => void

/**
 * Previews the parts one after the other and joins the answers. The API finds repetitions within a part, so a value of an earlier part is marked as
 * repeated here.
 */
export async function previewParts(
  lines: readonly string[],
  preview: (lines: string[]) => Promise<SuppressionPreview>,
  progress: Progress,
): Promise<SuppressionPreview> {
  const items: SuppressionPreviewLine[] = []
  const lineOf = new Map<string, number>()
  let records = 0
  for (const { before, lines: ofPart } of partsOf(lines)) {
    progress(before)
    const answer = await preview(ofPart)
    records += answer.records
    for (const one of answer.items) {
      const line = moved(one, before)
      const isValue = line.outcome === 'would_add' || line.outcome === 'stands_already'
      const value = JSON.stringify([line.kind, line.normalized])
      const earlier = isValue ? lineOf.get(value) : undefined
      if (isValue && earlier === undefined) lineOf.set(value, line.line)
      const same = earlier !== undefined && `The same as line ${earlier}.`
      items.push(same === false ? line : { ...line, outcome: 'repeated', message: same, records: null })
    }
  }
  return { items, records }
}

type Wanted = {
  lines: readonly string[]
  /** Preview of these lines. */
  preview: SuppressionPreview
  /** Results of parts by the number of lines before them. Filled here; a part with a result is not sent again. */
  finished: Map<number, SuppressionBatch>
}

/**
 * Adds the parts one after the other and joins the results. A part without a new entry in the preview is not sent, so that only the rest is added
 * after a reload. Repeated lines are sent empty, so that they are not recorded as a second request.
 */
export async function addParts(
  { lines, preview, finished }: Wanted,
  add: (lines: string[]) => Promise<SuppressionBatch>,
  progress: Progress,
): Promise<PastedResult> {
  const result: PastedResult = { items: [], added: 0, marked: 0 }
  for (const { before, lines: ofPart } of partsOf(lines)) {
    const previewed = preview.items.slice(before, before + ofPart.length)
    if (!previewed.some(({ outcome }) => outcome === 'would_add')) {
      result.items.push(...previewed)
      continue
    }
    progress(before)
    const isRepeated = (place: number) => previewed[place]?.outcome === 'repeated'
    const sent = ofPart.map((line, place) => (isRepeated(place) ? '' : line))
    const answer = finished.get(before) ?? (await add(sent))
    finished.set(before, answer)
    result.added += answer.added
    result.marked += answer.marked
    for (const [place, one] of answer.items.entries())
      result.items.push((isRepeated(place) ? previewed[place] : undefined) ?? moved(one, before))
  }
  return result
}
