/**
 * The widths and heights at which the app changes its layout, named once. A style sheet writes `@media (--narrow)`, which css.ts
 * replaces; a component passes `media.drawer` to `useMediaQuery`.
 */
export const media = {
  /** Everything stands in one column, and the rows of tables become blocks. */
  narrow: '(max-width: 40em)',
  /** The places are in a drawer, and a record covers the list. */
  drawer: '(max-width: 47.99em)',
  /** The sidebar begins as icons. */
  collapsed: '(max-width: 68em)',
  /** Too low for a scroller within a scroller. */
  short: '(max-height: 30em)',
  /** A finger is the pointer; a phone zooms in on a field whose text is under 16 px. */
  touch: '(pointer: coarse)',
} as const
