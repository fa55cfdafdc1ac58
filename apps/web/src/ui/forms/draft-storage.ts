/** Where drafts lie in this browser, and what is not left there. See use-draft.ts. */

const prefix = 'prospect-draft:'

/** Where an unsaved text lies: never the same for two people, or for one person in two tenants. */
export function draftKey(userId: string, tenantId: string, name: string): string {
  return `${prefix}${userId}:${tenantId}:${name}`
}

/** A draft as it lies there. `isForTabOnly`: it is sensitive, and lies in the tab alone. */
export const draftText = (kept: object, isForTabOnly: boolean): string => JSON.stringify({ ...kept, isForTabOnly })

/** At sign-out: what is sensitive does not wait in the tab for whoever comes next. All else waits for the person, each tab with its own. */
export function forgetSensitiveDrafts(): void {
  forgetSensitive(() => true)
}

/** Nor in a tab that was left without signing out, once somebody else is signed in. */
export function forgetSensitiveDraftsOfOthers(userId: string): void {
  forgetSensitive((key) => !key.startsWith(`${prefix}${userId}:`))
}

function forgetSensitive(isMeant: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && isMeant(key) && !mayStay(sessionStorage.getItem(key))) sessionStorage.removeItem(key)
  }
}

/** Only what says that it is not sensitive: a version before did not say it, and what cannot be read may be anything. */
function mayStay(text: string | null): boolean {
  try {
    return JSON.parse(text ?? 'null')?.isForTabOnly === false
  } catch {
    return false
  }
}

/** Ids of records that were erased while this page is open. */
const erased = new Set<string>()

/** Removes the drafts of an erased record from this browser and refuses new ones. */
export function forgetDraftsOf(businessId: string): void {
  erased.add(businessId)
  for (const storage of [sessionStorage, localStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(prefix) && key.includes(businessId)) storage.removeItem(key)
}

/** Storage that is full or forbidden: the text is still in the form, it only does not survive a reload. */
export function putDraft(storage: Storage, key: string, text: string): boolean {
  for (const businessId of erased) if (key.includes(businessId)) return false
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Restores a discarded draft to both storages. A newer text there stays. */
export function putDraftBack(
  key: string,
  { inTab, inBrowser }: { inTab: string | null; inBrowser: string | null },
): void {
  if (inTab !== null && sessionStorage.getItem(key) === null) putDraft(sessionStorage, key, inTab)
  if (inBrowser !== null && localStorage.getItem(key) === null) putDraft(localStorage, key, inBrowser)
}

export function removeDraftIf(storage: Storage, key: string, text: string | null): void {
  if (text !== null && storage.getItem(key) === text) storage.removeItem(key)
}
