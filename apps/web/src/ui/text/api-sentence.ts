/**
 * Sentences of the API in the format of the workspace. The API writes numbers, days and times in one notation (docs/decisions/sentences-have-one-notation.md):
 * 1,830 · 2026-11-21 · 2026-11-21T08:30:00.000Z. Quoted text, addresses and versions are not changed.
 */
import { isDay } from './day.ts'
import { formatDateTime, formatDay, formatNumberIn } from './format.ts'
import { workspaceLocale, workspaceZone } from './locale.ts'

const quoted = '“[^”]*”|"[^"]*"'
const time = String.raw`(?<time>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)`
const day = String.raw`(?<day>\d{4}-\d{2}-\d{2})`
const number = String.raw`(?<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+(?= (?:points|MB|KiB|s)\b))`
/** Matches a figure only if it is not part of a longer word, address, version or number. */
const figures = new RegExp(String.raw`${quoted}|(?<![\w.,:/@-])(?:${time}|${day}|${number})(?![\w/@-]|[.,:]\d)`, 'g')

/** As `figures`, without numbers: for sentences with values of people that are not quoted. */
const days = new RegExp(String.raw`${quoted}|(?<![\w.,:/@-])(?:${time}|${day})(?![\w/@-]|[.,:]\d)`, 'g')

type Figures = { time?: string; day?: string; number?: string }

export const localSentence = (sentence: string): string => rewrite(sentence, figures)

/** Rewrites days and times only. */
export const localDays = (sentence: string): string => rewrite(sentence, days)

function rewrite(sentence: string, pattern: RegExp): string {
  return sentence.replaceAll(pattern, (found, ...rest) => {
    const { time, day, number } = rest.at(-1) as Figures
    if (time !== undefined && !Number.isNaN(Date.parse(time))) return formatDateTime(time, workspaceZone())
    if (day !== undefined && isDay(day)) return formatDay(day)
    return number === undefined ? found : formatNumberIn(workspaceLocale(), Number(number.replaceAll(',', '')), 6)
  })
}
