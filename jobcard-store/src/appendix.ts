/**
 * The appendix of the specification as data: the schema that the store must have after the upgrade. `verify` compares the live schema with it, and
 * tests compare upgrade.sql with it. Column types have the notation of live-schema.ts.
 */
export type TableShape = {
  name: string
  /** type of each column by column name */
  columns: Record<string, string>
  /** Keys as `PRIMARY KEY (id)`, `UNIQUE KEY name (a, b)` or `KEY name (a)`. The name `*` stands for any name, where the appendix gives none. */
  keys: string[]
  /** foreign keys as `column -> table (id) ON DELETE action` */
  references: string[]
}

const id = 'BIGINT UNSIGNED NOT NULL AUTO_INCREMENT'
const reference = 'BIGINT UNSIGNED NOT NULL'
const optionalReference = 'BIGINT UNSIGNED NULL'
const createdAt = 'TIMESTAMP NOT NULL DEFAULT NOW'
const updatedAt = 'TIMESTAMP NOT NULL DEFAULT NOW ON UPDATE NOW'

/** The tables that the upgrade creates, in the order of the appendix. */
export const newTables: TableShape[] = [
  {
    name: 'app_settings',
    columns: {
      setting_key: 'VARCHAR(80) NOT NULL',
      setting_value: 'TEXT NULL',
      updated_by: optionalReference,
      updated_at: updatedAt,
    },
    keys: ['PRIMARY KEY (setting_key)'],
    references: ['updated_by -> users (id) ON DELETE SET NULL'],
  },
  {
    name: 'technical_information',
    columns: {
      id,
      client_id: reference,
      category: 'VARCHAR(80) NOT NULL',
      data_json: 'JSON NOT NULL',
      updated_by: optionalReference,
      created_at: createdAt,
      updated_at: updatedAt,
    },
    keys: ['PRIMARY KEY (id)', 'UNIQUE KEY technical_client_category (client_id, category)'],
    references: ['client_id -> clients (id) ON DELETE CASCADE', 'updated_by -> users (id) ON DELETE SET NULL'],
  },
  {
    name: 'credentials',
    columns: {
      id,
      client_id: reference,
      category: 'VARCHAR(80) NOT NULL',
      label: 'VARCHAR(120) NOT NULL',
      username: 'VARCHAR(190) NULL',
      secret_ciphertext: 'TEXT NOT NULL',
      notes: 'TEXT NULL',
      is_active: 'BOOLEAN NOT NULL DEFAULT 1',
      created_by: optionalReference,
      updated_at: updatedAt,
      created_at: createdAt,
    },
    keys: ['PRIMARY KEY (id)', 'KEY credentials_client_idx (client_id)', 'KEY credentials_category_idx (category)'],
    references: ['client_id -> clients (id) ON DELETE CASCADE', 'created_by -> users (id) ON DELETE SET NULL'],
  },
  {
    name: 'jobcard_sequences',
    columns: { sequence_year: 'SMALLINT UNSIGNED NOT NULL', next_sequence: 'INT UNSIGNED NOT NULL' },
    keys: ['PRIMARY KEY (sequence_year)'],
    references: [],
  },
  {
    name: 'jobcard_status_history',
    columns: {
      id,
      jobcard_id: reference,
      from_status: 'VARCHAR(60) NOT NULL',
      to_status: 'VARCHAR(60) NOT NULL',
      changed_by: optionalReference,
      changed_at: createdAt,
    },
    keys: ['PRIMARY KEY (id)', 'KEY status_history_jobcard_idx (jobcard_id, changed_at)'],
    references: ['jobcard_id -> jobcards (id) ON DELETE CASCADE', 'changed_by -> users (id) ON DELETE SET NULL'],
  },
  {
    name: 'attachments',
    columns: {
      id,
      jobcard_id: reference,
      original_name: 'VARCHAR(255) NOT NULL',
      stored_name: 'VARCHAR(255) NOT NULL',
      mime_type: 'VARCHAR(120) NOT NULL',
      file_size: 'BIGINT UNSIGNED NOT NULL',
      client_visible: 'BOOLEAN NOT NULL DEFAULT 0',
      uploaded_by: optionalReference,
      created_at: createdAt,
    },
    keys: ['PRIMARY KEY (id)', 'UNIQUE KEY * (stored_name)', 'KEY attachments_jobcard_idx (jobcard_id)'],
    references: ['jobcard_id -> jobcards (id) ON DELETE CASCADE', 'uploaded_by -> users (id) ON DELETE SET NULL'],
  },
  {
    name: 'notifications',
    columns: {
      id,
      user_id: reference,
      type: 'VARCHAR(80) NOT NULL',
      title: 'VARCHAR(190) NOT NULL',
      body: 'TEXT NULL',
      deduplication_key: 'VARCHAR(190) NULL',
      read_at: 'TIMESTAMP NULL',
      created_at: createdAt,
    },
    keys: [
      'PRIMARY KEY (id)',
      'UNIQUE KEY notification_dedup_idx (user_id, deduplication_key)',
      'KEY notification_unread_idx (user_id, read_at, created_at)',
    ],
    references: ['user_id -> users (id) ON DELETE CASCADE'],
  },
]

/** The only key that the upgrade adds to an existing table. */
export const slaKey = 'UNIQUE KEY sla_client_unique (client_id)'

/** The permissions that the upgrade inserts, each with its meaning. */
export const newPermissions: Record<string, string> = {
  'technical.view': 'view client technical information',
  'technical.manage': 'manage client technical information',
  'jobcards.close': 'close jobcards',
  'credentials.view': 'view protected credentials',
  'credentials.manage': 'manage protected credentials',
  'attachments.view': 'view jobcard attachments',
  'attachments.manage': 'manage jobcard attachments',
  'notifications.view': 'view notifications',
}

/** The existing tables that the upgrade uses, with the columns that it needs in them. */
export const existingTables: Record<string, string[]> = {
  users: ['id'],
  clients: ['id'],
  jobcards: ['id'],
  roles: ['id', 'name'],
  permissions: ['id', 'name'],
  role_permissions: ['role_id', 'permission_id'],
  sla_agreements: ['client_id'],
}

/**
 * The existing tables to which foreign keys refer. Their `id` must be BIGINT UNSIGNED with a primary or unique key on it alone, and they must use
 * InnoDB.
 */
export const referencedTables = ['users', 'clients', 'jobcards']

/** The role that gets every permission, and the role that gets `technical.view`. */
export const administratorRole = 'Administrator'
export const technicianRole = 'Technician'
