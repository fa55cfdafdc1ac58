/**
 * One line of a command's output. `ok`: as required. `stop`: prevents the upgrade. `add`: the upgrade would add it. `missing` and `differs`: not as
 * in the appendix. `beyond`: exists in addition to the appendix and does no harm. `note`: cannot be determined, or is useful to know.
 */
export type Line = { mark: 'ok' | 'stop' | 'add' | 'missing' | 'differs' | 'beyond' | 'note'; text: string }

const markWidth = 9

export function shown({ mark, text }: Line): string {
  return `${mark.padEnd(markWidth)}${text}`
}
