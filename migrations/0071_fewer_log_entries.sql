DROP INDEX `logs_newest`;--> statement-breakpoint
DROP INDEX `logs_key`;--> statement-breakpoint
ALTER TABLE `logs` ADD `keys` text GENERATED ALWAYS AS (coalesce(json_extract("payload", '$.keys'), "key")) VIRTUAL;--> statement-breakpoint
CREATE INDEX `logs_newest` ON `logs` (`tenant_id`,`created_at`,`id`) WHERE id < '~';--> statement-breakpoint
CREATE INDEX `logs_key` ON `logs` (`tenant_id`,`keys`,`created_at`,`id`);--> statement-breakpoint
-- The list of audit entries counts at most 10,000 of them, like a filtered list (ADR-0189). The tenants' rows of `totals`
-- for `logs` stay, because the previous release reads them.
DROP TRIGGER `totals_logs_insert`;--> statement-breakpoint
DROP TRIGGER `totals_logs_delete`;
