import type { Migration } from './migration.ts'

/** The country that forms preset for phone numbers in local form: South Africa until an administrator chooses another. */
export const aTenantHasACountry: Migration = {
  name: '0055-a-tenant-has-a-country',
  sql: `
    ALTER TABLE tenants ADD COLUMN country TEXT NOT NULL DEFAULT 'ZA' CHECK (country GLOB '[A-Z][A-Z]');
  `,
}
