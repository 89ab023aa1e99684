-- What a new tenant is given (src/storage/seed.ts). A deployment that has users keeps the defaults until its operator changes them.
INSERT INTO `configs` (`tenant_id`, `key`, `value`)
SELECT 'default', 'settings', '{"passwordPolicy":{"haveIBeenPwned":true}}'
WHERE NOT EXISTS (SELECT 1 FROM `users`)
ON CONFLICT DO NOTHING;
