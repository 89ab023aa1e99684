ALTER TABLE `tenants` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `tenants_deleted` ON `tenants` (`deleted_at`) WHERE deleted_at is not null;
