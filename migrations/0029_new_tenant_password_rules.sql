-- Which rules a new tenant has (src/storage/seed.ts): only where 0024 has just made the entry of a deployment without users.
UPDATE `configs` SET `value` = json_set(`value`, '$.passwordPolicy.rules', 'Length')
WHERE `tenant_id` = 'default' AND `key` = 'settings' AND json(`value`) = '{"passwordPolicy":{"haveIBeenPwned":true}}'
	AND NOT EXISTS (SELECT 1 FROM `users`);
