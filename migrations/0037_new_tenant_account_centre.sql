-- The account centre of a new tenant (src/storage/seed.ts): only where the entry of a deployment without users is as 0029 has made it.
UPDATE `configs` SET `value` = json_set(`value`, '$.accountCentre', json('{"enabled":true}'))
WHERE `tenant_id` = 'default' AND `key` = 'settings'
	AND json(`value`) = '{"passwordPolicy":{"haveIBeenPwned":true,"rules":"Length"}}'
	AND NOT EXISTS (SELECT 1 FROM `users`);
