import type { CsvPreview } from '@prospect/api-client'
import { CountrySelect } from '../../ui/fields/country-select.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './csv-preview.module.css'
import type { CsvSettings } from './csv-settings.ts'

const encodings = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Windows-1252' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
] as const
const delimiters = [
  { value: 'comma', label: 'Comma' },
  { value: 'semicolon', label: 'Semicolon' },
  { value: 'tab', label: 'Tab' },
  { value: 'bar', label: 'Bar |' },
] as const
const quotes = [
  { value: 'double', label: 'Double "' },
  { value: 'single', label: "Single '" },
  { value: 'none', label: 'None' },
] as const
type Props = {
  preview: CsvPreview
  settings: CsvSettings
  change: (settings: CsvSettings) => void
  isBusy: boolean
}

const NO_HEADER = 'none'

/** The lines that can be the header, and none. */
function headersOf({ headerChoices }: CsvPreview) {
  const lines = headerChoices.map(({ line, text }) => ({
    value: String(line),
    label: `Line ${line}: ${nameText(text)}`,
  }))
  return [{ value: NO_HEADER, label: 'None, every line is data' }, ...lines]
}

/** Settings by which the file was read, with the uncertain ones marked. A change reads the file again. */
export function DialectPanel({ preview, settings, change, isBusy }: Props) {
  const { dialect, doubts } = preview
  // Read-only instead of disabled: disabling would move the focus from the changed field to the page.
  const common = { readOnly: isBusy, inputWrapperOrder: order }
  return (
    <section aria-label="How the file is read" className={classes.dialect}>
      <Select
        {...common}
        label="Encoding"
        data={encodings}
        value={dialect.encoding}
        description={doubts.encoding === null ? null : localSentence(doubts.encoding)}
        onChange={(encoding) => encoding !== null && change({ ...settings, encoding })}
      />
      <Select
        {...common}
        label="Delimiter"
        data={delimiters}
        value={dialect.delimiter}
        description={doubts.delimiter ?? (dialect.hasDelimiterLine && 'Set by line 1 of the file.')}
        // A new delimiter gives other columns, so drop the mapping of the old ones.
        onChange={(delimiter) => delimiter !== null && change({ ...without(settings), delimiter })}
      />
      <Select
        {...common}
        label="Quotes"
        data={quotes}
        value={dialect.quote}
        description={doubts.quote === null ? null : localSentence(doubts.quote)}
        onChange={(quote) => quote !== null && change({ ...without(settings), quote })}
      />
      <Select
        {...common}
        label="Column names"
        data={headersOf(preview)}
        value={dialect.headerLine === null ? NO_HEADER : String(dialect.headerLine)}
        description={doubts.header === null ? null : localSentence(doubts.header)}
        onChange={(header) => header !== null && change(withHeader(settings, header))}
      />
      <CountrySelect
        {...common}
        label="Local phone numbers are from"
        placeholder="Not set"
        clearable
        value={settings.phoneRegion ?? null}
        onChange={(region) => {
          const { phoneRegion: _, ...others } = settings
          change(region === null ? others : { ...others, phoneRegion: region })
        }}
      />
    </section>
  )
}

const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** Settings with another header. Its columns may be others, so the mapping of the old ones is dropped. */
function withHeader(settings: CsvSettings, header: string): CsvSettings {
  const { header: _, headerLine: _line, ...others } = without(settings)
  return header === NO_HEADER ? { ...others, header: false } : { ...others, headerLine: Number(header) }
}

function without({ mapping: _, ...settings }: CsvSettings): CsvSettings {
  return settings
}
