/** Texts about a report: its days, its time, and labels of the keys in its figures. */
import type { ReportFigure, ReportSummary } from '@prospect/api-client'
import { pipelineStateName } from '../../ui/prospects/pipeline-words.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatDateTime, formatDays, formatNumber } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import { outcomeName } from '../../ui/text/outcome-words.ts'
import { provinceName } from '../../ui/text/provinces.ts'

type Asked = Pick<ReportSummary, 'from' | 'to' | 'timeZone' | 'asOf'>

export const intervalWords = ({ from, to }: Pick<Asked, 'from' | 'to'>) => formatDays(from, to)

export const asOfWords = ({ asOf, timeZone }: Asked) => formatDateTime(asOf, timeZone)

/** Meaning of a figure's numbers, with their days and time. */
export function semanticsWords(semantics: ReportFigure['semantics'], asked: Asked): string {
  switch (semantics) {
    case 'latest_state':
      return `Active prospects, as of ${asOfWords(asked)}`
    case 'event_time':
      return `Events ${intervalWords(asked)}, with the data known on ${asOfWords(asked)}`
    case 'distinct_business':
      return `Prospects, counted once per row, ${intervalWords(asked)}, with the data known on ${asOfWords(asked)}`
  }
}

export function filterSentence(filter: ReportSummary['filter'], personName: (id: string) => string): string {
  const parts = [
    ...(filter.province === undefined ? [] : [`in ${provinceName(filter.province)}`]),
    ...(filter.assigneeId === undefined ? [] : [`assigned to ${personName(filter.assigneeId)}`]),
    ...(filter.tag === undefined
      ? []
      : [filter.tag === null ? 'with an erased tag' : `tagged ${nameText(filter.tag)}`]),
  ]
  return parts.length === 0 ? 'All active prospects' : `Active prospects ${parts.join(', ')}`
}

const keyWords: Record<string, Record<string, string>> = {
  distinct_businesses: {
    created: 'Were created',
    moved: 'Were moved',
    interaction: 'Had an interaction',
    interaction_while_do_not_contact: 'Had an interaction while marked do not contact',
  },
  evidence_coverage: { with_evidence: 'With evidence', without_evidence: 'Without evidence' },
  suppression: { do_not_contact: 'Do not contact', contactable: 'Not marked' },
}

/** Label of a key in a figure. */
export function keyName(figureKey: string, key: string): string {
  if (figureKey === 'interactions_by_outcome') return outcomeName(key)
  if (figureKey === 'interactions_by_person') return key
  return keyWords[figureKey]?.[key] ?? pipelineStateName(key)
}

/** Heading of a column of a figure. */
export const columnName = (column: string): string =>
  column === 'While do not contact' ? 'While marked do not contact' : column

export type Cell = string | number | null

/** Formats a cell for its column. A missing measurement is not shown as zero. */
export function cellWords(column: string, cell: Cell): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  return column === 'Share' ? `${formatNumber(cell * 100)} %` : formatNumber(cell)
}

/** 5.5 becomes '5.5 h', and 76 becomes '3.2 days'. */
export function hoursWords(hours: number): string {
  return hours < 48 ? `${formatNumber(hours)} h` : countWords(hours / 24, 'day', 'days')
}

export type Bar = {
  label: string
  /** Length relative to the longest bar, from 0 to 1. */
  length: number
  /** Length of a separate part after the bar, from 0 to 1 (moves while do not contact). */
  apart: number
  words: string
}

/** Bars of a figure, one per row, for its main number. */
export function barsOf({ key, columns, rows }: Pick<ReportFigure, 'key' | 'columns' | 'rows'>): Bar[] {
  const names = columns.filter((_, index) => rows.every((row) => typeof row[index] === 'string')).length
  const shareAt = key === 'conversion' ? columns.indexOf('Share') : -1
  const hoursAt = columns.indexOf('Median hours')
  const apartAt = columns.indexOf('While do not contact')
  const valueAt = shareAt >= 0 ? shareAt : hoursAt >= 0 ? hoursAt : names
  const numberAt = (row: Cell[], index: number) => Number(row[index] ?? 0)
  const longest =
    shareAt >= 0
      ? 1
      : Math.max(...rows.map((row) => numberAt(row, valueAt) + (apartAt < 0 ? 0 : numberAt(row, apartAt))), 0)
  return rows.map((row) => {
    const value = row[valueAt] ?? null
    const apart = apartAt < 0 ? 0 : numberAt(row, apartAt)
    return {
      label: row
        .slice(0, names)
        .map((name) => keyName(key, String(name)))
        .join(' → '),
      length: longest === 0 ? 0 : numberAt(row, valueAt) / longest,
      apart: longest === 0 ? 0 : apart / longest,
      words:
        hoursAt >= 0 && typeof value === 'number'
          ? hoursWords(value)
          : `${cellWords(columns[valueAt] ?? '', value)}${apart > 0 ? ` + ${formatNumber(apart)}` : ''}`,
    }
  })
}
