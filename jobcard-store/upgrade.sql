-- Upgrade of the job-card data store, for MariaDB 10.6 or MySQL 8.0 and later versions. Back up first: see README.md.
--
--   mariadb --default-character-set=utf8mb4 <database> < upgrade.sql        (or mysql, with the same option)
--
-- It adds seven tables, eight permissions with their grants to two roles, and one unique key. It does not change what
-- exists already, so it can be run again at any time, and a second run completes an interrupted one.
--
-- Part 1 only reads. If there is an obstacle, part 2 ends the script with an error that names it, before anything was
-- changed. Part 3 makes the changes. Each of its statements is prepared from a text that is DO 0 unless part 2
-- succeeded, so a client that continues after an error (source, --force) changes nothing either.
--
-- The script uses no stored routine, because one could be left behind. It changes no session setting. It sets its user
-- variables @jobcard_… to NULL at the end. Its effect does not depend on sql_mode, autocommit, default_storage_engine
-- or explicit_defaults_for_timestamp.


-- ---------------------------------------------------------------------------------------------------------------------
-- 1. Check. The first obstacle is stored in @jobcard_stop.
-- ---------------------------------------------------------------------------------------------------------------------

SET @jobcard_go = 0;

-- Checks the client and the server.
SET @jobcard_stop = CASE
  WHEN DATABASE() IS NULL
    THEN 'no database is selected. Name it on the command line of the client'
  WHEN @@SESSION.character_set_client <> 'utf8mb4' OR @@SESSION.character_set_connection <> 'utf8mb4'
    THEN CONCAT('the client speaks ', @@SESSION.character_set_client, ', not utf8mb4. Start it with --default-character-set=utf8mb4')
  WHEN CAST(SUBSTRING_INDEX(VERSION(), '.', 1) AS UNSIGNED) * 1000
       + CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(VERSION(), '.', 2), '.', -1) AS UNSIGNED)
       < IF(VERSION() LIKE '%MariaDB%', 10006, 8000)
    THEN CONCAT('the server is ', VERSION(), '. MariaDB 10.6 or MySQL 8.0 is needed, or later')
END;

-- Checks the seven existing tables that the upgrade uses.
SET @jobcard_stop = COALESCE(@jobcard_stop, (
  SELECT CASE
      WHEN found.TABLE_TYPE IS NULL
        THEN CONCAT('table ', wanted.table_name, ' is missing, or this account may not see it')
      WHEN found.TABLE_TYPE NOT IN ('BASE TABLE', 'SYSTEM VERSIONED')
        THEN CONCAT(wanted.table_name, ' is not a table but a ', LOWER(found.TABLE_TYPE))
      ELSE CONCAT('table ', wanted.table_name, ' is kept by ', found.ENGINE, '. Foreign keys need InnoDB, not partitioned')
    END
  FROM (
    SELECT 'users' AS table_name, 1 AS is_referenced
    UNION ALL SELECT 'clients', 1
    UNION ALL SELECT 'jobcards', 1
    UNION ALL SELECT 'roles', 0
    UNION ALL SELECT 'permissions', 0
    UNION ALL SELECT 'role_permissions', 0
    UNION ALL SELECT 'sla_agreements', 0
  ) AS wanted
  LEFT JOIN information_schema.TABLES AS found
    ON found.TABLE_SCHEMA = DATABASE() AND found.TABLE_NAME = wanted.table_name
  WHERE found.TABLE_TYPE IS NULL
    OR found.TABLE_TYPE NOT IN ('BASE TABLE', 'SYSTEM VERSIONED')
    OR (wanted.is_referenced = 1 AND (found.ENGINE <> 'InnoDB' OR found.CREATE_OPTIONS LIKE '%partitioned%'))
  ORDER BY wanted.is_referenced DESC, wanted.table_name
  LIMIT 1
));

-- Checks the columns that the upgrade uses in them. A foreign key needs the same type on both sides.
SET @jobcard_stop = COALESCE(@jobcard_stop, (
  SELECT CASE
      WHEN found.COLUMN_NAME IS NULL
        THEN CONCAT('column ', wanted.table_name, '.', wanted.column_name, ' is missing, or this account may not see it')
      WHEN found.DATA_TYPE <> 'bigint' OR found.COLUMN_TYPE NOT LIKE '%unsigned%'
        THEN CONCAT(wanted.table_name, '.', wanted.column_name, ' is ', found.COLUMN_TYPE, '. The foreign keys need BIGINT UNSIGNED')
      ELSE CONCAT(wanted.table_name, '.', wanted.column_name, ' is not a primary or unique key of its own. The foreign keys need one')
    END
  FROM (
    SELECT 'users' AS table_name, 'id' AS column_name, 1 AS is_referenced
    UNION ALL SELECT 'clients', 'id', 1
    UNION ALL SELECT 'jobcards', 'id', 1
    UNION ALL SELECT 'roles', 'id', 0
    UNION ALL SELECT 'roles', 'name', 0
    UNION ALL SELECT 'permissions', 'id', 0
    UNION ALL SELECT 'permissions', 'name', 0
    UNION ALL SELECT 'role_permissions', 'role_id', 0
    UNION ALL SELECT 'role_permissions', 'permission_id', 0
    UNION ALL SELECT 'sla_agreements', 'client_id', 0
  ) AS wanted
  LEFT JOIN information_schema.COLUMNS AS found
    ON found.TABLE_SCHEMA = DATABASE() AND found.TABLE_NAME = wanted.table_name AND found.COLUMN_NAME = wanted.column_name
  WHERE found.COLUMN_NAME IS NULL
    OR (wanted.is_referenced = 1 AND (found.DATA_TYPE <> 'bigint' OR found.COLUMN_TYPE NOT LIKE '%unsigned%'))
    OR (wanted.is_referenced = 1 AND NOT EXISTS (
      SELECT 1
      FROM information_schema.STATISTICS AS part
      WHERE part.TABLE_SCHEMA = DATABASE() AND part.TABLE_NAME = wanted.table_name AND part.NON_UNIQUE = 0
      GROUP BY part.INDEX_NAME
      HAVING COUNT(*) = 1 AND MAX(part.COLUMN_NAME) = wanted.column_name
    ))
  ORDER BY wanted.is_referenced DESC, wanted.table_name, wanted.column_name
  LIMIT 1
));

-- Finds columns of permissions and role_permissions that need a value which the upgrade does not know.
SET @jobcard_stop = COALESCE(@jobcard_stop, (
  SELECT CONCAT(TABLE_NAME, '.', COLUMN_NAME, ' wants a value that the upgrade does not know. Give it a default')
  FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE()
    AND (
      (TABLE_NAME = 'permissions' AND COLUMN_NAME NOT IN ('name', 'description'))
      OR (TABLE_NAME = 'role_permissions' AND COLUMN_NAME NOT IN ('role_id', 'permission_id'))
    )
    AND IS_NULLABLE = 'NO' AND COLUMN_DEFAULT IS NULL
    AND LOWER(EXTRA) NOT LIKE '%auto_increment%' AND LOWER(EXTRA) NOT LIKE '%generated%'
  ORDER BY TABLE_NAME, ORDINAL_POSITION
  LIMIT 1
));

-- Checks that the two roles exist.
SET @jobcard_roles = NULL;
SET @jobcard_statement = IF(@jobcard_stop IS NULL,
  'SELECT IF(SUM(name = ''Administrator'') > 0, IF(SUM(name = ''Technician'') > 0, ''both'', ''Technician''), ''Administrator'') INTO @jobcard_roles FROM roles',
  'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;
SET @jobcard_stop = COALESCE(@jobcard_stop,
  IF(@jobcard_roles = 'both', NULL, CONCAT('table roles has no row named ', @jobcard_roles)));

-- Checks the unique key: it exists already, or no client may have two rows. Rows without a client do not count.
SET @jobcard_sla_key = (
  SELECT CONCAT(IF(MAX(NON_UNIQUE) = 0, 'unique ', 'not unique '), GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX))
  FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sla_agreements' AND INDEX_NAME = 'sla_client_unique'
  GROUP BY INDEX_NAME
);
SET @jobcard_stop = COALESCE(@jobcard_stop, IF(@jobcard_sla_key <> 'unique client_id',
  CONCAT('the key sla_client_unique of sla_agreements is there as ', @jobcard_sla_key, '. It should be unique on client_id alone'),
  NULL));

SET @jobcard_duplicates = 0;
SET @jobcard_statement = IF(@jobcard_stop IS NULL AND @jobcard_sla_key IS NULL,
  'SELECT COUNT(*) INTO @jobcard_duplicates FROM (
     SELECT client_id FROM sla_agreements WHERE client_id IS NOT NULL GROUP BY client_id HAVING COUNT(*) > 1
   ) AS twice',
  'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;
SET @jobcard_stop = COALESCE(@jobcard_stop, IF(@jobcard_duplicates > 0,
  CONCAT('clients with more than one row in sla_agreements: ', @jobcard_duplicates,
    '. Keep one row of each, then run this again. To find them: SELECT client_id, COUNT(*) FROM sla_agreements GROUP BY client_id HAVING COUNT(*) > 1'),
  NULL));

-- Checks those of the seven new tables that exist already: they must be tables in InnoDB.
SET @jobcard_stop = COALESCE(@jobcard_stop, (
  SELECT IF(TABLE_TYPE NOT IN ('BASE TABLE', 'SYSTEM VERSIONED'),
    CONCAT(TABLE_NAME, ' is there, but not as a table: it is a ', LOWER(TABLE_TYPE)),
    CONCAT('table ', TABLE_NAME, ' is kept by ', ENGINE, ', not InnoDB'))
  FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = DATABASE()
    AND TABLE_NAME IN ('app_settings', 'technical_information', 'credentials', 'jobcard_sequences',
                       'jobcard_status_history', 'attachments', 'notifications')
    AND (TABLE_TYPE NOT IN ('BASE TABLE', 'SYSTEM VERSIONED') OR ENGINE <> 'InnoDB')
  ORDER BY TABLE_NAME
  LIMIT 1
));

-- Checks their columns. MariaDB stores JSON as longtext in utf8mb4_bin, MySQL shows widths of integers before 8.0.19,
-- and the two report defaults differently. The columns are therefore compared in a notation that is the same for both.
SET @jobcard_drift = NULL, @jobcard_drifts = 0;
SELECT MIN(difference), COUNT(difference) INTO @jobcard_drift, @jobcard_drifts
FROM (
  SELECT CONCAT(wanted.table_name, '.', wanted.column_name, ' should be ', wanted.shape, ' and ',
    IF(found.shape IS NULL, 'is missing', CONCAT('is ', found.shape))) AS difference
  FROM (
    SELECT 'app_settings' AS table_name, 'setting_key' AS column_name, 'varchar(80) not null' AS shape
    UNION ALL SELECT 'app_settings', 'setting_value', 'text null'
    UNION ALL SELECT 'app_settings', 'updated_by', 'bigint unsigned null'
    UNION ALL SELECT 'app_settings', 'updated_at', 'timestamp not null default now on update now'
    UNION ALL SELECT 'technical_information', 'id', 'bigint unsigned not null auto_increment'
    UNION ALL SELECT 'technical_information', 'client_id', 'bigint unsigned not null'
    UNION ALL SELECT 'technical_information', 'category', 'varchar(80) not null'
    UNION ALL SELECT 'technical_information', 'data_json', 'json not null'
    UNION ALL SELECT 'technical_information', 'updated_by', 'bigint unsigned null'
    UNION ALL SELECT 'technical_information', 'created_at', 'timestamp not null default now'
    UNION ALL SELECT 'technical_information', 'updated_at', 'timestamp not null default now on update now'
    UNION ALL SELECT 'credentials', 'id', 'bigint unsigned not null auto_increment'
    UNION ALL SELECT 'credentials', 'client_id', 'bigint unsigned not null'
    UNION ALL SELECT 'credentials', 'category', 'varchar(80) not null'
    UNION ALL SELECT 'credentials', 'label', 'varchar(120) not null'
    UNION ALL SELECT 'credentials', 'username', 'varchar(190) null'
    UNION ALL SELECT 'credentials', 'secret_ciphertext', 'text not null'
    UNION ALL SELECT 'credentials', 'notes', 'text null'
    UNION ALL SELECT 'credentials', 'is_active', 'boolean not null default 1'
    UNION ALL SELECT 'credentials', 'created_by', 'bigint unsigned null'
    UNION ALL SELECT 'credentials', 'updated_at', 'timestamp not null default now on update now'
    UNION ALL SELECT 'credentials', 'created_at', 'timestamp not null default now'
    UNION ALL SELECT 'jobcard_sequences', 'sequence_year', 'smallint unsigned not null'
    UNION ALL SELECT 'jobcard_sequences', 'next_sequence', 'int unsigned not null'
    UNION ALL SELECT 'jobcard_status_history', 'id', 'bigint unsigned not null auto_increment'
    UNION ALL SELECT 'jobcard_status_history', 'jobcard_id', 'bigint unsigned not null'
    UNION ALL SELECT 'jobcard_status_history', 'from_status', 'varchar(60) not null'
    UNION ALL SELECT 'jobcard_status_history', 'to_status', 'varchar(60) not null'
    UNION ALL SELECT 'jobcard_status_history', 'changed_by', 'bigint unsigned null'
    UNION ALL SELECT 'jobcard_status_history', 'changed_at', 'timestamp not null default now'
    UNION ALL SELECT 'attachments', 'id', 'bigint unsigned not null auto_increment'
    UNION ALL SELECT 'attachments', 'jobcard_id', 'bigint unsigned not null'
    UNION ALL SELECT 'attachments', 'original_name', 'varchar(255) not null'
    UNION ALL SELECT 'attachments', 'stored_name', 'varchar(255) not null'
    UNION ALL SELECT 'attachments', 'mime_type', 'varchar(120) not null'
    UNION ALL SELECT 'attachments', 'file_size', 'bigint unsigned not null'
    UNION ALL SELECT 'attachments', 'client_visible', 'boolean not null default 0'
    UNION ALL SELECT 'attachments', 'uploaded_by', 'bigint unsigned null'
    UNION ALL SELECT 'attachments', 'created_at', 'timestamp not null default now'
    UNION ALL SELECT 'notifications', 'id', 'bigint unsigned not null auto_increment'
    UNION ALL SELECT 'notifications', 'user_id', 'bigint unsigned not null'
    UNION ALL SELECT 'notifications', 'type', 'varchar(80) not null'
    UNION ALL SELECT 'notifications', 'title', 'varchar(190) not null'
    UNION ALL SELECT 'notifications', 'body', 'text null'
    UNION ALL SELECT 'notifications', 'deduplication_key', 'varchar(190) null'
    UNION ALL SELECT 'notifications', 'read_at', 'timestamp null'
    UNION ALL SELECT 'notifications', 'created_at', 'timestamp not null default now'
  ) AS wanted
  JOIN information_schema.TABLES AS present
    ON present.TABLE_SCHEMA = DATABASE() AND present.TABLE_NAME = wanted.table_name
  LEFT JOIN (
    SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name, CONCAT(
      CASE
        WHEN DATA_TYPE = 'varchar' THEN CONCAT('varchar(', CHARACTER_MAXIMUM_LENGTH, ')')
        WHEN DATA_TYPE = 'longtext' AND COLLATION_NAME = 'utf8mb4_bin' THEN 'json'
        WHEN COLUMN_TYPE = 'tinyint(1)' THEN 'boolean'
        WHEN DATETIME_PRECISION > 0 THEN CONCAT(DATA_TYPE, '(', DATETIME_PRECISION, ')')
        ELSE DATA_TYPE
      END,
      IF(COLUMN_TYPE LIKE '%unsigned%', ' unsigned', ''),
      IF(CHARACTER_SET_NAME <> 'utf8mb4', CONCAT(' ', CHARACTER_SET_NAME), ''),
      IF(IS_NULLABLE = 'YES', ' null', ' not null'),
      CASE
        WHEN COLUMN_DEFAULT IS NULL OR COLUMN_DEFAULT = 'NULL' THEN ''
        WHEN LOWER(COLUMN_DEFAULT) LIKE 'current_timestamp%' THEN ' default now'
        ELSE CONCAT(' default ', COLUMN_DEFAULT)
      END,
      IF(LOWER(EXTRA) LIKE '%on update current_timestamp%', ' on update now', ''),
      IF(LOWER(EXTRA) LIKE '%auto_increment%', ' auto_increment', '')
    ) AS shape
    FROM information_schema.COLUMNS
    WHERE TABLE_SCHEMA = DATABASE()
  ) AS found
    ON found.table_name = wanted.table_name AND found.column_name = wanted.column_name
  WHERE found.shape IS NULL OR found.shape <> wanted.shape
) AS differences;
SET @jobcard_stop = COALESCE(@jobcard_stop, CONCAT(@jobcard_drift,
  IF(@jobcard_drifts > 1, CONCAT('; columns that differ: ', @jobcard_drifts), ''),
  '. The table was made by something else; an upgrade that only adds cannot mend it'));

-- Checks their keys. The unique key of attachments.stored_name may have any name.
SELECT MIN(difference), COUNT(difference) INTO @jobcard_drift, @jobcard_drifts
FROM (
  SELECT CONCAT(wanted.table_name, ' has no ', IF(wanted.is_unique = 1, 'unique ', ''), 'key ',
    IF(wanted.key_name = '*', '', CONCAT(wanted.key_name, ' ')), 'on (', wanted.key_columns, ')') AS difference
  FROM (
    SELECT 'app_settings' AS table_name, 'PRIMARY' AS key_name, 'setting_key' AS key_columns, 1 AS is_unique
    UNION ALL SELECT 'technical_information', 'PRIMARY', 'id', 1
    UNION ALL SELECT 'technical_information', 'technical_client_category', 'client_id,category', 1
    UNION ALL SELECT 'credentials', 'PRIMARY', 'id', 1
    UNION ALL SELECT 'credentials', 'credentials_client_idx', 'client_id', 0
    UNION ALL SELECT 'credentials', 'credentials_category_idx', 'category', 0
    UNION ALL SELECT 'jobcard_sequences', 'PRIMARY', 'sequence_year', 1
    UNION ALL SELECT 'jobcard_status_history', 'PRIMARY', 'id', 1
    UNION ALL SELECT 'jobcard_status_history', 'status_history_jobcard_idx', 'jobcard_id,changed_at', 0
    UNION ALL SELECT 'attachments', 'PRIMARY', 'id', 1
    UNION ALL SELECT 'attachments', '*', 'stored_name', 1
    UNION ALL SELECT 'attachments', 'attachments_jobcard_idx', 'jobcard_id', 0
    UNION ALL SELECT 'notifications', 'PRIMARY', 'id', 1
    UNION ALL SELECT 'notifications', 'notification_dedup_idx', 'user_id,deduplication_key', 1
    UNION ALL SELECT 'notifications', 'notification_unread_idx', 'user_id,read_at,created_at', 0
  ) AS wanted
  JOIN information_schema.TABLES AS present
    ON present.TABLE_SCHEMA = DATABASE() AND present.TABLE_NAME = wanted.table_name
  LEFT JOIN (
    SELECT TABLE_NAME AS table_name, INDEX_NAME AS key_name, 1 - MAX(NON_UNIQUE) AS is_unique,
      GROUP_CONCAT(COLUMN_NAME, IF(SUB_PART IS NULL, '', CONCAT('(', SUB_PART, ')')) ORDER BY SEQ_IN_INDEX) AS key_columns
    FROM information_schema.STATISTICS
    WHERE TABLE_SCHEMA = DATABASE()
    GROUP BY TABLE_NAME, INDEX_NAME
  ) AS found
    ON found.table_name = wanted.table_name
    AND found.key_columns = wanted.key_columns
    AND found.is_unique = wanted.is_unique
    AND (found.key_name = wanted.key_name OR wanted.key_name = '*')
  WHERE found.key_name IS NULL
) AS differences;
SET @jobcard_stop = COALESCE(@jobcard_stop, CONCAT(@jobcard_drift,
  IF(@jobcard_drifts > 1, CONCAT('; keys that differ: ', @jobcard_drifts), ''),
  '. The table was made by something else; an upgrade that only adds cannot mend it'));

-- Checks their foreign keys.
SELECT MIN(difference), COUNT(difference) INTO @jobcard_drift, @jobcard_drifts
FROM (
  SELECT CONCAT(wanted.table_name, '.', wanted.column_name, ' has no foreign key to ', wanted.parent,
    ' that does ', wanted.on_delete, ' on delete') AS difference
  FROM (
    SELECT 'app_settings' AS table_name, 'updated_by' AS column_name, 'users' AS parent, 'SET NULL' AS on_delete
    UNION ALL SELECT 'technical_information', 'client_id', 'clients', 'CASCADE'
    UNION ALL SELECT 'technical_information', 'updated_by', 'users', 'SET NULL'
    UNION ALL SELECT 'credentials', 'client_id', 'clients', 'CASCADE'
    UNION ALL SELECT 'credentials', 'created_by', 'users', 'SET NULL'
    UNION ALL SELECT 'jobcard_status_history', 'jobcard_id', 'jobcards', 'CASCADE'
    UNION ALL SELECT 'jobcard_status_history', 'changed_by', 'users', 'SET NULL'
    UNION ALL SELECT 'attachments', 'jobcard_id', 'jobcards', 'CASCADE'
    UNION ALL SELECT 'attachments', 'uploaded_by', 'users', 'SET NULL'
    UNION ALL SELECT 'notifications', 'user_id', 'users', 'CASCADE'
  ) AS wanted
  JOIN information_schema.TABLES AS present
    ON present.TABLE_SCHEMA = DATABASE() AND present.TABLE_NAME = wanted.table_name
  LEFT JOIN (
    SELECT part.TABLE_NAME AS table_name, part.COLUMN_NAME AS column_name,
      part.REFERENCED_TABLE_NAME AS parent, rule.DELETE_RULE AS on_delete
    FROM information_schema.KEY_COLUMN_USAGE AS part
    JOIN information_schema.REFERENTIAL_CONSTRAINTS AS rule
      ON rule.CONSTRAINT_SCHEMA = part.CONSTRAINT_SCHEMA AND rule.TABLE_NAME = part.TABLE_NAME
      AND rule.CONSTRAINT_NAME = part.CONSTRAINT_NAME
    WHERE part.TABLE_SCHEMA = DATABASE() AND part.REFERENCED_TABLE_SCHEMA = DATABASE() AND part.REFERENCED_COLUMN_NAME = 'id'
  ) AS found
    ON found.table_name = wanted.table_name AND found.column_name = wanted.column_name
    AND found.parent = wanted.parent AND found.on_delete = wanted.on_delete
  WHERE found.table_name IS NULL
) AS differences;
SET @jobcard_stop = COALESCE(@jobcard_stop, CONCAT(@jobcard_drift,
  IF(@jobcard_drifts > 1, CONCAT('; foreign keys that differ: ', @jobcard_drifts), ''),
  '. The table was made by something else; an upgrade that only adds cannot mend it'));


-- ---------------------------------------------------------------------------------------------------------------------
-- 2. Continue or stop. SIGNAL works only in stored routines. Instead the sentence is assigned to a setting that accepts
-- known values only, and the error for an unknown value quotes the whole sentence. Without an obstacle the setting gets
-- its own value.
-- ---------------------------------------------------------------------------------------------------------------------

SET SESSION default_storage_engine = IF(@jobcard_stop IS NULL, @@SESSION.default_storage_engine,
  CONCAT('UPGRADE STOPPED, NOTHING WAS CHANGED: ', @jobcard_stop, '.'));
SET @jobcard_go = (@jobcard_stop IS NULL);


-- ---------------------------------------------------------------------------------------------------------------------
-- 3. Change. The unique key comes first: if a client got a second row since part 1, the script fails here, before any
-- other change.
-- ---------------------------------------------------------------------------------------------------------------------

SET @jobcard_statement = IF(@jobcard_go = 1 AND @jobcard_sla_key IS NULL,
  'ALTER TABLE sla_agreements ADD UNIQUE KEY sla_client_unique (client_id)',
  'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Settings of the job-card application, by name.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS app_settings (
  setting_key VARCHAR(80) NOT NULL,
  setting_value TEXT NULL,
  updated_by BIGINT UNSIGNED NULL,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (setting_key),
  FOREIGN KEY (updated_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Technical information about a client's equipment and network: one document per category.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS technical_information (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  client_id BIGINT UNSIGNED NOT NULL,
  category VARCHAR(80) NOT NULL,
  data_json JSON NOT NULL,
  updated_by BIGINT UNSIGNED NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE KEY technical_client_category (client_id, category),
  FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
  FOREIGN KEY (updated_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Credentials of a client. The application encrypts the secret, so the database never contains it as plain text.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS credentials (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  client_id BIGINT UNSIGNED NOT NULL,
  category VARCHAR(80) NOT NULL,
  label VARCHAR(120) NOT NULL,
  username VARCHAR(190) NULL,
  secret_ciphertext TEXT NOT NULL,
  notes TEXT NULL,
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  created_by BIGINT UNSIGNED NULL,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY credentials_client_idx (client_id),
  KEY credentials_category_idx (category),
  FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE,
  FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- The next number of a job card, by year.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS jobcard_sequences (
  sequence_year SMALLINT UNSIGNED NOT NULL,
  next_sequence INT UNSIGNED NOT NULL,
  PRIMARY KEY (sequence_year)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Every change of a job card's status.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS jobcard_status_history (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  jobcard_id BIGINT UNSIGNED NOT NULL,
  from_status VARCHAR(60) NOT NULL,
  to_status VARCHAR(60) NOT NULL,
  changed_by BIGINT UNSIGNED NULL,
  changed_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  KEY status_history_jobcard_idx (jobcard_id, changed_at),
  FOREIGN KEY (jobcard_id) REFERENCES jobcards (id) ON DELETE CASCADE,
  FOREIGN KEY (changed_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Files of a job card. The contents of the files are stored elsewhere, under stored_name.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS attachments (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  jobcard_id BIGINT UNSIGNED NOT NULL,
  original_name VARCHAR(255) NOT NULL,
  stored_name VARCHAR(255) NOT NULL,
  mime_type VARCHAR(120) NOT NULL,
  file_size BIGINT UNSIGNED NOT NULL,
  client_visible BOOLEAN NOT NULL DEFAULT FALSE,
  uploaded_by BIGINT UNSIGNED NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE KEY stored_name (stored_name),
  KEY attachments_jobcard_idx (jobcard_id),
  FOREIGN KEY (jobcard_id) REFERENCES jobcards (id) ON DELETE CASCADE,
  FOREIGN KEY (uploaded_by) REFERENCES users (id) ON DELETE SET NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Notifications that a user gets in the application, at most one for each deduplication key.
SET @jobcard_statement = IF(@jobcard_go = 1, 'CREATE TABLE IF NOT EXISTS notifications (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
  user_id BIGINT UNSIGNED NOT NULL,
  type VARCHAR(80) NOT NULL,
  title VARCHAR(190) NOT NULL,
  body TEXT NULL,
  deduplication_key VARCHAR(190) NULL,
  read_at TIMESTAMP NULL DEFAULT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (id),
  UNIQUE KEY notification_dedup_idx (user_id, deduplication_key),
  KEY notification_unread_idx (user_id, read_at, created_at),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Inserts the missing permissions, with their meaning if the table has a column for it. INSERT IGNORE is not used: it
-- would also hide names that were truncated, and use up automatic ids at every run.
SET @jobcard_insert = IF(@jobcard_go = 1, IF(
  (SELECT COUNT(*) FROM information_schema.COLUMNS
   WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'permissions' AND COLUMN_NAME = 'description') = 1,
  'INSERT INTO permissions (name, description) SELECT ''<name>'', ''<meaning>'' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE name = ''<name>'')',
  'INSERT INTO permissions (name) SELECT ''<name>'' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE name = ''<name>'')'),
  'DO 0');

SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'technical.view'), '<meaning>', 'view client technical information');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'technical.manage'), '<meaning>', 'manage client technical information');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'jobcards.close'), '<meaning>', 'close jobcards');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'credentials.view'), '<meaning>', 'view protected credentials');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'credentials.manage'), '<meaning>', 'manage protected credentials');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'attachments.view'), '<meaning>', 'view jobcard attachments');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'attachments.manage'), '<meaning>', 'manage jobcard attachments');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
SET @jobcard_statement = REPLACE(REPLACE(@jobcard_insert, '<name>', 'notifications.view'), '<meaning>', 'view notifications');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Grants every permission to Administrator, and technical.view to Technician. Existing grants are not changed.
SET @jobcard_statement = IF(@jobcard_go = 1, 'INSERT INTO role_permissions (role_id, permission_id)
  SELECT roles.id, permissions.id
  FROM roles
  JOIN permissions ON roles.name = ''Administrator'' OR (roles.name = ''Technician'' AND permissions.name = ''technical.view'')
  WHERE NOT EXISTS (
    SELECT 1 FROM role_permissions AS held WHERE held.role_id = roles.id AND held.permission_id = permissions.id
  )', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

-- Commits, for clients that start with autocommit off. Does nothing if the script was stopped.
SET @jobcard_statement = IF(@jobcard_go = 1, 'COMMIT', 'DO 0');
PREPARE jobcard_upgrade FROM @jobcard_statement;
EXECUTE jobcard_upgrade;
DEALLOCATE PREPARE jobcard_upgrade;

SELECT CASE
  WHEN @jobcard_go = 0 THEN 'The upgrade was stopped and changed nothing; the error above says why.'
  WHEN (
      SELECT COUNT(*) FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE()
        AND TABLE_NAME IN ('app_settings', 'technical_information', 'credentials', 'jobcard_sequences',
                           'jobcard_status_history', 'attachments', 'notifications')
    ) + (
      SELECT COUNT(*) FROM information_schema.STATISTICS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'sla_agreements' AND INDEX_NAME = 'sla_client_unique'
    ) < 8 THEN 'The upgrade is not whole; the errors above say why. Mend that and run this again.'
  ELSE 'The upgrade has run to its end.'
END AS upgrade;

SET @jobcard_go = NULL, @jobcard_stop = NULL, @jobcard_roles = NULL, @jobcard_sla_key = NULL, @jobcard_duplicates = NULL,
  @jobcard_drift = NULL, @jobcard_drifts = NULL, @jobcard_insert = NULL, @jobcard_statement = NULL;
