-- The password rules of a new tenant (src/storage/tenants/seed.ts, ADR-0168). A deployment without signing keys has never
-- signed anyone in, so it is new. Every other deployment keeps its policy. By hand, because drizzle-kit writes no rows.
UPDATE `configs` SET `value` = json_set(`value`, '$.passwordPolicy.rules', 'CharacterClasses')
WHERE `tenant_id` = 'default' AND `key` = 'settings'
	AND json(`value`) = '{"passwordPolicy":{"haveIBeenPwned":true,"rules":"Length"},"accountCentre":{"enabled":true}}'
	AND NOT EXISTS (SELECT 1 FROM `configs` WHERE `key` = 'oidc.privateKeys')
	AND NOT EXISTS (SELECT 1 FROM `users`);
