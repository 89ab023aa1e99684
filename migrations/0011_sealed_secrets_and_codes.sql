ALTER TABLE `applications` ADD `sealed_secret` text;--> statement-breakpoint
CREATE INDEX `applications_unsealed` ON `applications` (`tenant_id`) WHERE secret <> '';--> statement-breakpoint
ALTER TABLE `passcodes` ADD `code_digest` text;
--> statement-breakpoint
-- In a deployment that is in use the Worker of the version before reads the secrets of applications as they are: for an
-- hour they stay so, and are sealed then (spec/storage#application-secrets).
INSERT INTO configs (tenant_id, key, value)
SELECT 'default', 'applicationSecrets', json_object('sealedFrom', (unixepoch() + 3600) * 1000)
WHERE EXISTS (SELECT 1 FROM users) OR EXISTS (SELECT 1 FROM applications) ON CONFLICT DO NOTHING;
