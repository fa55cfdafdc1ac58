import type { UserActor } from '../../lib/actor.ts'
import { notFound } from '../../lib/app-error.ts'
import type { Store } from '../../store/store.ts'
import type { Analysis } from './csv/analysis.ts'
import type { Upload } from './receive-upload.ts'

/** The bounds of what is held; `docs/limits.md` shows them. */
export const heldLimits = { minutes: 15, ofAPerson: 3, inAll: 24 } as const

type Owner = Pick<UserActor, 'tenantId' | 'userId'>
export type HeldPreview = {
  id: string
  owner: Owner
  createdAt: Date
  expiresAt: Date
  file: Upload
  analysis: Analysis
}

export type HeldPreviews = {
  hold(preview: HeldPreview): void
  /** One's own preview in this tenant; anybody else's is not there. Errors: `not_found`. */
  get(owner: Owner, id: string): HeldPreview
}

const bySource = new WeakMap<Store, HeldPreviews>()

/** The previews of a running process: in memory, for minutes, for the person who made them, and never anywhere else. */
export function heldPreviewsOf(store: Store): HeldPreviews {
  const known = bySource.get(store)
  if (known !== undefined) return known
  const made = createHeldPreviews(() => store.clock())
  bySource.set(store, made)
  return made
}

function createHeldPreviews(now: () => Date): HeldPreviews {
  const previews = new Map<string, HeldPreview>()
  const forgetExpired = () => {
    for (const [id, { expiresAt }] of previews) if (expiresAt <= now()) previews.delete(id)
  }
  /** The oldest go first. */
  const makeRoom = (wanted: (preview: HeldPreview) => boolean, most: number) => {
    const held = [...previews.values()].filter(wanted)
    for (const { id } of held.slice(0, Math.max(0, held.length - most))) previews.delete(id)
  }
  return {
    hold(preview) {
      forgetExpired()
      previews.set(preview.id, preview)
      makeRoom(({ owner }) => isSame(owner, preview.owner), heldLimits.ofAPerson)
      makeRoom(() => true, heldLimits.inAll)
      const left = preview.expiresAt.getTime() - preview.createdAt.getTime()
      setTimeout(() => previews.delete(preview.id), left).unref()
    },
    get(owner, id) {
      forgetExpired()
      const preview = previews.get(id)
      if (preview === undefined || !isSame(preview.owner, owner)) throw notFound()
      return preview
    },
  }
}

function isSame(a: Owner, b: Owner): boolean {
  return a.tenantId === b.tenantId && a.userId === b.userId
}
