import { getAcceptanceReportOptions } from '@prospect/api-client/query'

/** The last acceptance report that was written beside the store; its report is null when there is none. */
export const acceptanceQuery = getAcceptanceReportOptions()
