/** Storage of drafts in this browser, and removal of sensitive ones. See use-draft.ts. */

const prefix = 'prospect-draft:'

/** Storage key of a draft. It differs per user, and per tenant of one user. */
export function draftKey(userId: string, tenantId: string, name: string): string {
  return `${prefix}${userId}:${tenantId}:${name}`
}

/** Stored form of a draft. `isForTabOnly` marks a sensitive draft, which is stored in the tab only. */
export const draftText = (kept: object, isForTabOnly: boolean): string => JSON.stringify({ ...kept, isForTabOnly })

/** Called at sign-out: deletes sensitive drafts, so that the next user of the browser cannot read them. Other drafts stay for their author. */
export function forgetSensitiveDrafts(): void {
  forgetSensitive(() => true)
}

/** Called after sign-in: deletes sensitive drafts of other users from a tab that was left without signing out. */
export function forgetSensitiveDraftsOfOthers(userId: string): void {
  forgetSensitive((key) => !key.startsWith(`${prefix}${userId}:`))
}

function forgetSensitive(isMeant: (key: string) => boolean): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix) && isMeant(key) && !mayStay(sessionStorage.getItem(key))) sessionStorage.removeItem(key)
  }
}

/** True only for a draft that is marked as not sensitive. Older versions wrote no mark, and unreadable content may be sensitive. */
function mayStay(text: string | null): boolean {
  try {
    return JSON.parse(text ?? 'null')?.isForTabOnly === false
  } catch {
    return false
  }
}

/** Ids of records that were erased while this page was open. */
const erased = new Set<string>()

/** Removes the drafts of an erased record from this browser and refuses new ones. */
export function forgetDraftsOf(businessId: string): void {
  erased.add(businessId)
  for (const storage of [sessionStorage, localStorage])
    for (const key of Object.keys(storage))
      if (key.startsWith(prefix) && key.includes(businessId)) storage.removeItem(key)
}

/** Stores a draft; returns false if storage is full or blocked. The text is still in the form then, but does not survive a reload. */
export function putDraft(storage: Storage, key: string, text: string): boolean {
  for (const businessId of erased) if (key.includes(businessId)) return false
  try {
    storage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Restores a discarded draft to both storages. A newer text there is kept. */
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
