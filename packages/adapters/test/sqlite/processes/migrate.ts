// A process that knows a next version of the schema, and brings a file to it. It writes the version that the file then has.
import { openDatabase } from '../../../src/sqlite/open-database.ts'
import { migrations } from '../../../src/sqlite/schema.ts'
import { pragma } from '../../../src/sqlite/statements.ts'

const [file = ''] = process.argv.slice(2)
const counting = 'CREATE TABLE migrated (at INTEGER); INSERT INTO migrated VALUES (1)'
const database = openDatabase(file, 10_000, [...migrations, counting])
process.stdout.write(`${pragma(database, 'user_version')}\n`)
database.close()
process.disconnect()
