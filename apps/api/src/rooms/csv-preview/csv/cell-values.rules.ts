import {
  type IdentifierKind,
  isAbroad,
  isLocalForm,
  normalizeIdentifier,
  valuesIn,
} from '../../normalization/normalization.ts'

/** A value in a cell with further text. `text` can be read alone. */
export type CellValue = { text: string; normalized: string }

/** Maximum number of values of one cell, as of one kind in a prospect. */
const MOST_VALUES = 20

/**
 * Returns the values of a kind in a cell that is no value as a whole: several values, or one with a name, a label or a remark. A local phone number is
 * read only by the country of the file (specification, Phase 6 §2); `isWithoutCountry` tells that a country would make the cell readable. A number that
 * a spreadsheet rounded, such as `2.78E+10`, is none.
 */
export function valuesOfCell(
  kind: IdentifierKind,
  cell: string,
  region: string | null,
): { values: CellValue[]; isWithoutCountry: boolean } {
  const values: CellValue[] = []
  let isWithoutCountry = false
  let end = { from: -1, to: -1 }
  for (const { kind: found, normalized, from, to, read } of valuesIn(cell, { region })) {
    if (found !== kind || (kind === 'phone' && read === 'decoded')) continue
    // Of overlapping readings the longest counts. A phone within a longer one is the first of a series, such as `021 555 6601/2`.
    const isSeries = kind === 'phone' && from === end.from && to < end.to
    if (from < end.to && !isSeries) continue
    if (!isSeries) end = { from, to }
    const text = cell.slice(from, to)
    const alone = normalizeIdentifier(kind, text, region)
    if (alone.uncertainty === 'no_country_context') isWithoutCountry = true
    // The gate also reads South African forms beside another country. Here they are no numbers of that country.
    else if (kind === 'phone' && isAbroad(region) && alone.normalized === null && isLocalForm(text)) continue
    else if (values.length < MOST_VALUES && values.every((one) => one.normalized !== normalized))
      values.push({ text: alone.normalized === normalized ? text : normalized, normalized })
  }
  return { values, isWithoutCountry }
}
