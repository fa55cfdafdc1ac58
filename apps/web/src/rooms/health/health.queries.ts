import { getAcceptanceReportOptions } from '@prospect/api-client/query'

/** Query for the last acceptance report of this data folder. The report is null if there is none. */
export const acceptanceQuery = getAcceptanceReportOptions()
