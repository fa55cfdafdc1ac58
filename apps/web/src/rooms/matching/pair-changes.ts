/** Differences between two versions of a pair, in words, so that nobody decides about values they have not seen. */
import type { Business, MatchSuggestion, MergeField, MergePreview } from '@prospect/api-client'
import { fieldName } from '../../ui/text/field-names.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { childKinds, childWords, percent, statusWords, valueText } from './matching-words.ts'

export type Pair = { suggestion: MatchSuggestion; preview: MergePreview }

export const hasChanged = (seen: Pair, now: Pair): boolean =>
  seen.suggestion.fingerprint !== now.suggestion.fingerprint || seen.suggestion.status !== now.suggestion.status

const listNames = ['emails', 'phones', 'domains'] as const

/** One sentence per visible change. Empty if nothing on the page changed. */
export function changesOf(seen: Pair, now: Pair): string[] {
  const changes: string[] = []
  if (seen.suggestion.status !== now.suggestion.status)
    changes.push(`The suggestion is now “${statusWords[now.suggestion.status].toLowerCase()}”.`)
  const { score, reasons, businesses } = now.suggestion
  if (score !== seen.suggestion.score)
    changes.push(`The score was ${percent(seen.suggestion.score)} and is ${percent(score)}.`)
  else if (JSON.stringify(reasons) !== JSON.stringify(seen.suggestion.reasons))
    changes.push('The evidence about this pair changed.')
  businesses.forEach((business, at) => {
    const before = seen.suggestion.businesses[at]
    if (before === undefined) return
    const name = nameText(business.name)
    for (const field of fieldsChangedOn(seen, now, at)) {
      const [was, is] = [seen, now].map((pair) => valueText(field, saidOf(pair, field, at)))
      changes.push(`“${name}”: ${fieldName(field)} was “${was}” and is “${is}”.`)
    }
    for (const list of listNames)
      if (values(before, list) !== values(business, list)) changes.push(`“${name}”: ${fieldName(list)} changed.`)
    if (before.tags.join('\n') !== business.tags.join('\n')) changes.push(`“${name}”: Tags changed.`)
    if (before.doNotContact?.at !== business.doNotContact?.at)
      changes.push(
        business.doNotContact === null
          ? `“${name}” can be contacted again.`
          : `“${name}” was marked do not contact: ${nameText(business.doNotContact.reason)}`,
      )
    if (before.status !== business.status) changes.push(`“${name}” is now ${business.status}.`)
    const [counts, countsBefore] = [now.preview.sides[at]?.counts, seen.preview.sides[at]?.counts]
    for (const kind of counts === undefined ? [] : childKinds(counts)) {
      const more = (counts?.[kind] ?? 0) - (countsBefore?.[kind] ?? 0)
      if (more !== 0) changes.push(`“${name}” has ${childWords(kind, Math.abs(more))} ${more > 0 ? 'more' : 'fewer'}.`)
    }
  })
  return changes
}

function values(business: Business, list: (typeof listNames)[number]): string {
  return business[list].map(({ value }) => value).join('\n')
}

function saidOf({ preview }: Pair, field: MergeField, at: number): string | null {
  return preview.fields.find((row) => row.field === field)?.values[at] ?? null
}

function fieldsChangedOn(seen: Pair, now: Pair, at: number): MergeField[] {
  return now.preview.fields
    .map(({ field }) => field)
    .filter((field) => saidOf(seen, field, at) !== saidOf(now, field, at))
}

/** Value of a field in the version seen before, or undefined if unchanged. */
export function earlierValue(seen: Pair | null, now: Pair, field: MergeField, at: number): string | null | undefined {
  if (seen === null) return undefined
  const was = saidOf(seen, field, at)
  return was === saidOf(now, field, at) ? undefined : was
}
