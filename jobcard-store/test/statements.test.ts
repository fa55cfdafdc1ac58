import { expect, test } from 'vitest'
import { splitStatements, upgradeStatements } from '../src/statements.ts'

test('a script is cut at its semicolons, not at those in texts and comments, and every statement knows its line', () => {
  const script = "-- one; two\nSET @a = 'x;\n-- y ''z;''' ;\n\n-- it's\nSELECT `a;b`,\n  1 -- 2;\n;\nDO 0"
  expect(splitStatements(script)).toEqual([
    { sql: "SET @a = 'x;\n-- y ''z;'''", line: 2 },
    { sql: 'SELECT `a;b`,\n  1', line: 6 },
    { sql: 'DO 0', line: 9 },
  ])
})

test('upgrade.sql names no database, account, definer or routine, and changes one table that is there', () => {
  const changes = upgradeStatements().map(({ sql }) => sql)
  const all = changes.join('\n')
  expect(all).not.toMatch(
    /\b(DELIMITER|DEFINER|PROCEDURE|TRIGGER|DROP|TRUNCATE|DELETE FROM|UPDATE \w+ SET|GRANT|REPLACE INTO)\b/,
  )
  expect(all.match(/ALTER TABLE \w+/g)).toEqual(['ALTER TABLE sla_agreements'])
  expect(all.match(/CREATE (?!TABLE IF NOT EXISTS)/g)).toBeNull()
})
