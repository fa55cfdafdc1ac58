import type { PipelineState } from '@prospect/api-client'
import { useState } from 'react'
import { useDraft } from '../../ui/forms/use-draft.ts'

const parse = (value: unknown) => (typeof value === 'string' ? value : null)

/** The reason for one move of one prospect, on the board and on its page: kept until it moved, whatever comes in between. */
export function useMoveReason(businessId: string, to: PipelineState) {
  const draft = useDraft<string>(`move-${businessId}-${to}`, parse, { returned: (back) => setReason(back) })
  const [reason, setReason] = useState(draft.restored?.value ?? '')
  return {
    reason,
    restored: draft.restored,
    setReason: (next: string) => {
      setReason(next)
      if (next.trim() === '') draft.clear()
      else draft.keep(next)
    },
    forget: draft.clear,
    discard: draft.discard,
  }
}
