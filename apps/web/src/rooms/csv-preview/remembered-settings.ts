/** The settings by which a person read files with the same headings, stored in this browser per person and tenant. */
import type { CsvPreview } from '@prospect/api-client'
import { useCallback } from 'react'
import { useSession } from '../../ui/api/session.ts'
import { storedNow, useStored } from '../../ui/forms/use-stored.ts'
import { type CsvSettings, csvFields } from './csv-settings.ts'

/** Maximum number of sets of headings; the ones used last are kept. */
const MOST_SETS = 50

export type Remembered = { headings: string; settings: CsvSettings }

/** The headings of a file as one text, as they were found without settings. A file without headings has none. */
export function headingsOf({ columns, dialect }: Pick<CsvPreview, 'columns' | 'dialect'>): string | null {
  if (!dialect.hasHeader) return null
  return JSON.stringify(columns.map(({ name }) => (name ?? '').trim().toLowerCase()))
}

const withSettings = (all: readonly Remembered[], added: Remembered): Remembered[] =>
  [added, ...all.filter(({ headings }) => headings !== added.headings)].slice(0, MOST_SETS)

export function useRememberedSettings() {
  const { user, tenant } = useSession()
  const key = `prospect-csv-settings:${user.id}:${tenant.id}`
  const [, store] = useStored(key, parseRemembered)
  const find = (headings: string | null) =>
    storedNow(key, parseRemembered).find((one) => one.headings === headings)?.settings
  const remember = useCallback(
    (headings: string | null, settings: CsvSettings) => {
      if (headings !== null) store(withSettings(storedNow(key, parseRemembered), { headings, settings }))
    },
    [key, store],
  )
  return { find, remember }
}

function parseRemembered(kept: unknown): Remembered[] {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((value) => {
    if (typeof value !== 'object' || value === null) return []
    const { headings, settings } = value as Record<string, unknown>
    return typeof headings === 'string' ? [{ headings, settings: parseSettings(settings) }] : []
  })
}

const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
const delimiters = ['comma', 'semicolon', 'tab', 'bar'] as const
const quotes = ['double', 'single', 'none'] as const

/** Parses stored settings leniently: a field that a newer version removed is not read. */
function parseSettings(value: unknown): CsvSettings {
  if (typeof value !== 'object' || value === null) return {}
  const { encoding, delimiter, quote, header, headerLine, mapping, phoneRegion } = value as Record<string, unknown>
  const settings: CsvSettings = {}
  const known = {
    encoding: encodings.find((one) => one === encoding),
    delimiter: delimiters.find((one) => one === delimiter),
    quote: quotes.find((one) => one === quote),
  }
  if (known.encoding !== undefined) settings.encoding = known.encoding
  if (known.delimiter !== undefined) settings.delimiter = known.delimiter
  if (known.quote !== undefined) settings.quote = known.quote
  if (header === false) settings.header = false
  if (typeof headerLine === 'number') settings.headerLine = headerLine
  if (Array.isArray(mapping)) settings.mapping = mapping.map((field) => csvFields.find((one) => one === field) ?? null)
  if (typeof phoneRegion === 'string') settings.phoneRegion = phoneRegion
  return settings
}
