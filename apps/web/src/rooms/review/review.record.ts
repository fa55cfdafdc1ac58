import { IconCircleCheck, IconCircleX, IconClockPause, IconRotate, IconUserCheck } from '@tabler/icons-react'
import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { DeferDialog } from './decisions/defer-dialog.tsx'
import { RejectDialog } from './decisions/reject-dialog.tsx'
import { ReopenDialog } from './decisions/reopen-dialog.tsx'
import { ReviewTab } from './decisions/review-tab.tsx'
import { VerifyDialog } from './decisions/verify-dialog.tsx'
import { QueueNotice } from './queue/queue-notice.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'review', label: 'Review', permission: 'review.read', Content: ReviewTab }],
  notices: [QueueNotice],
  dialogs: [
    { id: 'review.verify', Content: VerifyDialog },
    { id: 'review.reject', Content: RejectDialog },
    { id: 'review.defer', Content: DeferDialog },
    { id: 'review.reopen', Content: ReopenDialog },
  ],
  actions: [
    {
      id: 'review.verify',
      label: 'Verify',
      Icon: IconCircleCheck,
      keys: 'v',
      permission: 'review.decide',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('review.verify'),
    },
    {
      id: 'review.reject',
      label: 'Reject',
      Icon: IconCircleX,
      keys: 'r',
      permission: 'review.decide',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('review.reject'),
    },
    {
      id: 'review.assign',
      label: 'Assign',
      Icon: IconUserCheck,
      keys: 'a',
      permission: 'businesses.write',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('assign'),
    },
    {
      id: 'review.defer',
      label: 'Defer the review',
      shortLabel: 'Defer',
      Icon: IconClockPause,
      keys: 'l',
      permission: 'review.decide',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('review.defer'),
    },
    {
      id: 'review.reopen',
      label: 'Reopen the review',
      shortLabel: 'Reopen',
      Icon: IconRotate,
      permission: 'review.decide',
      at: 'menu',
      asksMore: true,
      run: (page) => page.openDialog('review.reopen'),
    },
  ],
}
