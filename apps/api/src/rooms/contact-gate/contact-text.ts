/**
 * The type of a stored column that is, or contains, a contact value that was typed, found or derived: an email address, a phone number, a host, or a
 * URL. Such a column is declared in `<room>.table.ts` with this type instead of `string`.
 *
 * Promise (Global rule 5, Phase 12 §5): if a live suppression entry matches the value, the write is refused (`requireMayBeStored`) or marks its record,
 * and readers without `suppression.see_values` see `HIDDEN` instead (`findHiddenValues`). `suppression/test/contact-columns.test.ts` lists the
 * columns from these declarations, tests each one, and fails for any other text column that is not listed there with a reason.
 */
export type ContactText = string
