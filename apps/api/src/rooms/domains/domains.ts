/** Public module of the domains room: domains that a person accepted for a prospect, and the stored status of mail servers (docs/domains.md). It sends no query. */
export { type AcceptedDomain, acceptedDomainsOf, acceptedDomainsOfEach } from './candidates/accepted-domains.ts'
export { findMailStatuses } from './dns/mail-status.ts'
export { dnsStatuses } from './domains.table.ts'
export { findTextsOfBlockedRecords } from './names/withheld.ts'
