import { defineFacts } from '../define-facts.ts'

export const backupFacts = defineFacts({
  room: 'backup',
  securityActions: { 'store.restore': 'Store restored' },
  capabilities: [
    {
      phase: 15,
      area: 'Portable production deployment',
      status: 'operational',
      reason:
        'Container stack, health, probe, metrics, encrypted backups, restore, drills and a runbook work; deployment itself, copies off the host and image scans are the operator’s.',
    },
  ],
})
