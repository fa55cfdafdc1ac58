/**
 * Media queries at which the layout changes. A style sheet writes `@media (--narrow)`, which css.ts replaces; a component passes `media.drawer` to
 * `useMediaQuery`.
 */
export const media = {
  /** One column; rows of tables become blocks. */
  narrow: '(max-width: 40em)',
  /** The navigation is in a drawer, and a record covers its list. */
  drawer: '(max-width: 47.99em)',
  /** The sidebar starts collapsed to icons. */
  collapsed: '(max-width: 68em)',
  /** Too narrow or too low for the full head of a record to stay in view. */
  compactHead: '(max-width: 40em), (max-height: 37.5em)',
  /** Too low for nested scrolling. */
  short: '(max-height: 30em)',
  /** Touch input. Phones zoom into fields whose text is smaller than 16 px. */
  touch: '(pointer: coarse)',
} as const
