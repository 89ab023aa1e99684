/** The whole database, one file per subject. What the database refuses is declared next to the column. */
export * from './tables/activity.ts'
export * from './tables/applications.ts'
export * from './tables/consents.ts'
export * from './tables/logs.ts'
export * from './tables/oidc.ts'
export * from './tables/roles.ts'
export * from './tables/tenants.ts'
export * from './tables/users.ts'
