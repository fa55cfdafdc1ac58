import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { businessQuery } from '../../ui/prospects/record-queries.ts'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'

export type QuickDialogProps = { businessId: string; dialog: string; close: () => void; reopen: () => void }

/** A dialog of the record for the prospect that is selected in a list. */
export function QuickDialog({
  parts,
  businessId,
  dialog,
  ...rest
}: QuickDialogProps & { parts: Required<RecordParts> }) {
  const { data, isError } = useQuery(businessQuery(businessId))
  const Content = parts.dialogs.find(({ id }) => id === dialog)?.Content
  const { close } = rest
  useEffect(() => {
    if (isError) close()
  }, [isError, close])
  return Content !== undefined && data !== undefined && <Content business={data} {...rest} />
}
