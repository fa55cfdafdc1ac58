/** What the API takes, in characters unless the name says otherwise. A test holds each against the API's own document. */
export const inputLimits = {
  reason: 1_000,
  /** of a search for prospects or pairs */
  search: 200,
  suppressionSearch: 320,
  suppressedValue: 320,
  requestedBy: 200,
  suppressionReference: 200,
  pastedLineCount: 1_000,
  evidenceReference: 200,
  observation: 5_000,
  personName: 200,
  personEmail: 254,
  passkeyName: 100,
  tenantName: 200,
  reviewMonthCount: 120,
  reportName: 200,
  tag: 50,
  ruleSetName: 100,
  ruleSetDescription: 1_000,
  rollbackPlan: 2_000,
}
