import type { Transition } from '@prospect/api-client'
import { pagedQuery } from '../../ui/api/page-queries.ts'
import { recordKey } from '../../ui/prospects/record-keys.ts'

export const transitionsQuery = (businessId: string) =>
  pagedQuery<Transition>([...recordKey(businessId), 'transitions'], `/businesses/${businessId}/pipeline-transitions`)
