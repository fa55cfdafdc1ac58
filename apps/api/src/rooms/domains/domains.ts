/** Front door of the domains room: domains that a person accepted for a prospect (docs/domains.md, Candidates). */
export { acceptedDomainsOf } from './candidates/accepted-domains.ts'
