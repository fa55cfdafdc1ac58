export const shownStates = ['open', 'known', 'quarantined', 'accepted', 'rejected', 'expired'] as const

export type ContactSearch = { show?: (typeof shownStates)[number] }

/** Parses the state of the listed candidates; undefined means open candidates. */
export function parseContactSearch({ show: asked }: Record<string, unknown>): ContactSearch {
  const show = shownStates.find((one) => one === asked)
  return show === undefined ? {} : { show }
}
