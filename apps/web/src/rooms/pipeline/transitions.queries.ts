import type { Transition } from '@prospect/api-client'
import { pagedQuery } from '../../ui/paged.ts'
import { recordKey } from '../../ui/record-keys.ts'

export const transitionsQuery = (businessId: string) =>
  pagedQuery<Transition>([...recordKey(businessId), 'transitions'], `/businesses/${businessId}/pipeline-transitions`)
