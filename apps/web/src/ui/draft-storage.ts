/** Where drafts lie in this browser, and what is not left there. See use-draft.ts. */

const prefix = 'prospect-draft:'

/** Where an unsaved text lies: never the same for two people, or for one person in two tenants. */
export function draftKey(userId: string, tenantId: string, name: string): string {
  return `${prefix}${userId}:${tenantId}:${name}`
}

/** At sign-out: what is sensitive lies in the tab alone, and does not wait there for whoever comes next. What else was typed last is in the browser. */
export function forgetDraftsInTab(): void {
  forgetInTab(() => true)
}

/** Nor in a tab that was left without signing out, once somebody else is signed in. */
export function forgetDraftsInTabOfOthers(userId: string): void {
  forgetInTab((key) => !key.startsWith(`${prefix}${userId}:`))
}

function forgetInTab(isForgotten: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && isForgotten(key)) sessionStorage.removeItem(key)
  }
}

/** Of a record that was erased: what was typed of it is not left in this browser either. */
export function forgetDraftsOf(businessId: string): void {
  for (const storage of [sessionStorage, localStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(prefix) && key.includes(businessId)) storage.removeItem(key)
}

/** Storage that is full or forbidden: the text is still in the form, it only does not survive a reload. */
export function putDraft(storage: Storage, key: string, text: string): boolean {
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function removeDraftIf(storage: Storage, key: string, text: string | null): void {
  if (text !== null && storage.getItem(key) === text) storage.removeItem(key)
}
