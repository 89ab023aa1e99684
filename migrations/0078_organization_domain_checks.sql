CREATE TABLE `organization_former_users` (
	`tenant_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `organization_id`, `user_id`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`organization_id`) REFERENCES `organizations`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tenant_id`,`user_id`) REFERENCES `users`(`tenant_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `organization_former_users_user` ON `organization_former_users` (`tenant_id`,`user_id`);--> statement-breakpoint
DROP INDEX `organization_domains_checked_at`;--> statement-breakpoint
ALTER TABLE `organization_domains` ADD `next_check_at` integer;--> statement-breakpoint
CREATE INDEX `organization_domains_next_check_at` ON `organization_domains` (`next_check_at`) WHERE verified_at is not null;--> statement-breakpoint

-- A domain must not make users members again who left or were removed, however their membership ended. Nothing is
-- recorded if the user or the organisation was deleted.
CREATE TRIGGER `organization_users_former` AFTER DELETE ON `organization_users`
WHEN EXISTS (SELECT 1 FROM organizations WHERE tenant_id = OLD.tenant_id AND id = OLD.organization_id)
	AND EXISTS (SELECT 1 FROM users WHERE tenant_id = OLD.tenant_id AND id = OLD.user_id)
BEGIN
	INSERT INTO organization_former_users (tenant_id, organization_id, user_id)
	VALUES (OLD.tenant_id, OLD.organization_id, OLD.user_id) ON CONFLICT DO NOTHING;
END;
